# SPDX-License-Identifier: Apache-2.0
"""Pages of `starloom replay` for the tests in browsers."""
import csv
import pathlib
import subprocess

# Packets that wait for others.
WORKLOADS = ["training_step", "memory_controllers", "message_deadlock"]
# Each kind of network and storage, worms, keys, several dimensions, bad ends.
CLASSES = [
    "discipline_fifo", "demo", "vc_torus_deadlock", "hold_ring_deadlock", "hold_mesh", "deflection_hot_spot", "keys_mesh",
    "fat_tree_one_worm", "vc_dragonfly_valiant", "torus_3d_4x3x5_neighbour", "vc_link_latency", "express_mesh_bound_violation",
    "sleeper_hundred_million", "mesh_single_node", "broadcast_multicast", "multicast_deadlock", "scheduled_deaths", *WORKLOADS, "pops_4x4_dead_couplers", "pops_4x3_broadcast", "pops_16x4_guard",
]


class PageMaker:
    """Runs scenarios of a project into a scratch folder, and makes pages of them."""

    def __init__(self, program, project, scratch):
        self.program, self.project, self.scratch = program, pathlib.Path(project), pathlib.Path(scratch).resolve()
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.made = set()

    def starloom(self, *words):
        run = subprocess.run([self.program, *map(str, words)], check=False, capture_output=True, text=True)
        assert run.returncode == 0, f"{words}: {run.stderr}"

    def folder(self, name, waves=False, settings=()):
        """The result of a scenario, with other values of some keys."""
        out = self.scratch / "_".join([name + "_waves" * waves, *(value.split("=")[1] for value in settings)])
        if out not in self.made:
            scenarios = [self.project / folder / f"{name}.yaml" for folder in ("testbenches/scenarios", "tests/probes/scenarios")]
            self.starloom("run", next(file for file in scenarios if file.exists()), "--trace", *["--waves"] * waves, "--quiet",
                          *(word for value in settings for word in ("--set", value)),
                          "--force", "--out", out)
            self.made.add(out)
        return out

    def of(self, name, *options, waves=False, settings=()):
        """The page of a scenario."""
        out = self.folder(name, waves, settings)
        file = self.scratch / ("_".join([out.name, *map(str, options)]) + ".html")
        self.starloom("replay", out, "--out", file, *options)
        return file

    def rows(self, name, file, settings=()):
        """The rows of a file of its result."""
        with open(self.folder(name, settings=settings) / file, encoding="ascii") as lines:
            return list(csv.DictReader(lines))

    def hops(self, name, waves=False):
        """The rows `hop` of its trace."""
        with open(self.folder(name, waves) / "trace.csv", encoding="ascii") as file:
            return [row for row in csv.DictReader(file) if row["event"] == "hop"]
