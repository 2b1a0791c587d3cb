# SPDX-License-Identifier: Apache-2.0
"""Pages of `starloom replay` in a real browser: browser_test.py PROGRAM PROJECT SCRATCH

One headless Chromium goes through all pages. Leaves with status 77 where Chromium, its driver or python3-selenium is missing.
"""
import json
import pathlib
import re
import subprocess
import sys
import time
import unittest

import pages

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: there is no python3-selenium")
    sys.exit(77)

BROWSER, DRIVER = pathlib.Path("/usr/bin/chromium"), pathlib.Path("/usr/bin/chromedriver")
if not (BROWSER.exists() and DRIVER.exists()):
    print("skipped: there is no chromium with chromium-driver")
    sys.exit(77)

PAGES = pages.PageMaker(*sys.argv[1:4])


def distance(a, b):
    """On a mesh of 8 x 8."""
    return abs(a // 8 - b // 8) + abs(a % 8 - b % 8)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = str(BROWSER)
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800", "--disable-dev-shm-usage"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(str(DRIVER)), options=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, file, link=""):
        self.browser.get("about:blank")
        self.log()
        self.browser.get(file.as_uri() + link)
        self.wait_until("globalThis.replay !== undefined && replay.frames > 0", file.name)

    def wait_until(self, condition, where="the page"):
        for _ in range(1500):  # half a minute, for a busy machine
            if self.js(f"return {condition}"):
                return
            time.sleep(0.02)
        self.fail(f"{where}: never {condition}: {self.log()}")

    def js(self, script, *words):
        return self.browser.execute_script(script, *words)

    def log(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def drawn(self):
        """Waits until the next frame is on the canvas."""
        self.browser.execute_async_script(
            "const done = arguments[0]; replay.dirty = true; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def keys(self, *keys):
        scene = self.browser.find_element(By.ID, "scene")
        scene.send_keys(*keys)

    def test_every_class_opens_and_plays_without_an_error(self):
        for name in pages.CLASSES:
            with self.subTest(name):
                self.open(PAGES.of(name))
                self.js("""replay.setSpeed(8); replay.toggle(); replay.draw();
                    for (const kind of arguments[0]) {
                      replay.select({kind, id: 0});
                      replay.seek((replay.model.from + replay.model.to) / 2);
                      replay.draw();
                    }""", ["packet", "node"] + ([] if name == "mesh_single_node" else ["link"]) +
                    ["message"] * (name in pages.WORKLOADS) + ["operation"] * (name == "training_step"))
                self.drawn()
                self.assertEqual(self.log(), [])

    def test_no_frame_has_pixels_of_another_size(self):
        self.open(PAGES.of("demo"))
        shown = self.browser.execute_async_script("""
            const done = arguments[0], seen = [], {port1, port2} = new MessageChannel();
            const change = () => {
              const wide = seen.length % 4 === 0;
              document.getElementById("panel").style.width = wide ? "640px" : "200px";
              document.querySelector("footer").style.paddingRight = wide ? "12px" : "300px";
              port2.postMessage("the frame is shown");
            };
            port1.onmessage = () => {
              for (const canvas of document.querySelectorAll("#scene, #timeline"))
                seen.push([canvas.id, canvas.width, canvas.height, canvas.clientWidth, canvas.clientHeight]);
              seen.length < 24 ? requestAnimationFrame(change) : done(seen);
            };
            requestAnimationFrame(change);""")
        self.assertGreater(len({tuple(sizes) for sizes in shown}), 3)
        for canvas, *sizes in shown:
            self.assertEqual(sizes[:2], sizes[2:], canvas)

    def under_policy(self, policy):
        """Opens a copy of a page that a content security policy restricts. Returns the text that is seen."""
        page = PAGES.of("demo")
        copy = page.with_name("policy.html")
        copy.write_text(page.read_text().replace(
            "<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">', 1))
        self.browser.get(copy.as_uri())
        return self.browser.find_element(By.TAG_NAME, "body").text

    def test_where_scripts_are_blocked_the_page_says_why_it_is_empty(self):
        self.assertIn("do not run here", self.under_policy("default-src 'none'"))
        self.assertNotIn("do not run here",
                         self.under_policy("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"))
        self.wait_until("globalThis.replay !== undefined && replay.frames > 0")
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.browser.get(PAGES.of("demo").as_uri())
            self.assertIn("do not run here", self.browser.find_element(By.TAG_NAME, "body").text)
            self.assertTrue(self.browser.find_element(By.CSS_SELECTOR, "noscript code").is_displayed())
        finally:
            self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    def test_steps_show_the_positions_of_the_trace(self):
        self.open(PAGES.of("discipline_fifo"))
        hops = PAGES.hops("discipline_fifo")
        self.assertGreater(len(hops), 20)
        self.js("replay.setColour('packet')")
        empty = self.js("return replay.palette.paper")
        shown = self.js(
            """return arguments[0].map(([step, packet, node, port]) => {
                 const {model} = replay;
                 const flits = model.whereIs(replay.packetIndex(packet), step + 0.5);
                 return [flits.length, flits[0].at, flits[0].share, flits[0].link === model.linkAt[node * model.facts.stride + port]];
               });""", [[int(hop[name]) for name in ("step", "packet", "node", "port")] for hop in hops])
        self.assertEqual(shown, [[1, "link", 0.5, True]] * len(hops))
        for hop in hops[:: len(hops) // 10]:
            self.js("replay.seek(Number(arguments[0]) + 0.5)", hop["step"])
            self.drawn()
            pixel, wanted = self.js(
                """const {scene, model} = replay, place = replay.packetIndex(Number(arguments[0]));
                const [at] = model.whereIs(place, replay.time), canvas = document.getElementById("scene");
                const [x, y] = scene.camera.toScreen(...scene.pointOn(at.link, at.share)), ratio = canvas.width / canvas.clientWidth;
                const pixel = canvas.getContext("2d").getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data;
                const hex = [...pixel].slice(0, 3).map((c) => c.toString(16).padStart(2, "0")).join("");
                const own = [...Array(model.rows).keys()].find((r) => model.flitPacket[model.rowFlit[r]] === place);
                return ["#" + hex, scene.colourOf(own, replay.time, {colour: "packet", palette: replay.palette})]""", hop["packet"])
            self.assertEqual(pixel, wanted, hop)
            self.assertNotEqual(pixel, empty)

    def test_keyboard_scrubber_search_and_link(self):
        file = PAGES.of("demo")
        self.open(file)
        self.keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.js("return replay.time"), 1)
        self.keys(Keys.SHIFT, Keys.ARROW_RIGHT)
        self.assertEqual(self.js("return replay.time"), 11)
        self.keys(Keys.NULL, Keys.ARROW_LEFT)
        self.assertEqual(self.js("return replay.time"), 10)
        self.keys(Keys.SPACE)
        self.assertTrue(self.js("return replay.player.playing"))
        self.wait_until("replay.time > 10")
        self.keys(Keys.SPACE)
        self.assertFalse(self.js("return replay.player.playing"))
        self.keys(Keys.END)
        self.assertEqual(self.js("return replay.time"), self.js("return replay.model.to"))
        speed = self.js("return replay.player.speed")
        self.keys("]", "c")
        self.assertEqual(self.js("return [replay.player.speed, replay.colour]"), [speed + 1, "packet"])

        line = self.browser.find_element(By.ID, "timeline")
        ActionChains(self.browser).move_to_element(line).click().perform()
        middle = self.js("return replay.timeline.timeAt(arguments[0], arguments[1])", line.size["width"] / 2, line.size["width"])
        self.assertAlmostEqual(self.js("return replay.time"), middle, delta=5)

        self.keys("/", )
        self.browser.switch_to.active_element.send_keys("2000", Keys.ENTER)
        self.assertIn("Packet 2000", self.browser.find_element(By.ID, "panel").text)
        self.assertIn("packet=2000", self.browser.current_url)
        self.assertIn("= distance 1 + ", self.browser.find_element(By.ID, "sum").text)
        self.keys(Keys.ESCAPE)
        self.assertIsNone(self.js("return replay.selected"))

        self.open(file, "#step=120&packet=17")
        self.assertEqual(self.js("return [replay.time, replay.packetNumber(replay.selected.id)]"), [120, 17])
        self.open(file, "#step=99999999&packet=99999999")
        self.assertEqual(self.js("return [replay.time === replay.model.to, replay.selected]"), [True, None])
        self.assertEqual(self.log(), [])

    def test_the_layer_of_power_colours_routers(self):
        self.open(PAGES.of("energy_uniform", settings=("energy.window=20",)), "#step=300&layer=power")
        windows = PAGES.rows("energy_uniform", "energy_windows.csv", settings=("energy.window=20",))
        shown = next(float(row["power_mw"]) for row in windows if int(row["from"]) <= 300 < int(row["to"]))
        text = self.browser.find_element(By.CSS_SELECTOR, ".power").text
        self.assertEqual(text, f"Power: {float(f'{shown:.4g}'):g} mW in steps 300 to 319.")
        most = max(float(row["power_mw"]) for row in windows)
        self.assertEqual(self.js("return replay.model.curves['power, mW'].reduce((a, b) => Math.max(a, b))"), float(f"{most:.4g}"))

        self.assertEqual(self.log(), [])  # before pixels are read, of which Chromium warns

        # The colour of a node near its edge, beside the number and the packets.
        colour = """const { scene, model, palette } = replay, [x, y] = scene.at[arguments[0]];
            const own = scene.backdrop.getContext("2d"), ratio = Math.min(2, devicePixelRatio || 1);
            const at = scene.camera.toScreen(x - scene.radius * 0.9, y - scene.radius * 0.9);
            return [...own.getImageData(at[0] * ratio, at[1] * ratio, 1, 1).data.slice(0, 3)]"""
        heat = """const { power } = replay.model, level = power.routerLevel(power.windowAt(replay.time), arguments[0]);
            return replay.palette.heat[level].match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16))"""
        self.drawn()
        for node in (0, 27, 63):
            self.assertEqual(self.js(colour, node), self.js(heat, node), node)
        self.keys("l")
        self.drawn()
        self.assertEqual(self.js("return replay.layer"), "load")
        self.assertNotEqual(self.js(colour, 27), self.js(heat, 27))
        self.assertNotIn("layer", self.browser.current_url)

    def test_a_click_selects(self):
        self.open(PAGES.of("discipline_fifo"))
        x, y = self.js("return replay.scene.camera.toScreen(...replay.scene.at[3])")
        scene = self.browser.find_element(By.ID, "scene")
        ActionChains(self.browser).move_to_element_with_offset(
            scene, round(x - scene.size["width"] / 2), round(y - scene.size["height"] / 2)).click().perform()
        self.assertEqual(self.js("return replay.selected"), {"kind": "node", "id": 3})

    def click_lane(self, x, y):
        lanes = self.browser.find_element(By.ID, "lanes")
        ActionChains(self.browser).move_to_element_with_offset(
            lanes, round(x - lanes.size["width"] / 2), round(y - lanes.size["height"] / 2)).click().perform()

    def lane_colour(self, x, y):
        return self.js(
            """const canvas = document.getElementById("lanes"), ratio = canvas.width / canvas.clientWidth;
            const pixel = canvas.getContext("2d").getImageData(Math.round(arguments[0] * ratio), Math.round(arguments[1] * ratio), 1, 1).data;
            return "#" + [...pixel].slice(0, 3).map((c) => c.toString(16).padStart(2, "0")).join("");""", x, y)

    def test_lanes_show_the_critical_path_and_the_operations_of_ranks(self):
        rows = PAGES.rows("training_step", "critical_path.csv")
        self.open(PAGES.of("training_step"))
        self.assertEqual(
            self.js("""const {workload} = replay.model;
                return workload.chain.map((one) => [workload.number[one.message], one.compute, one.ideal, one.contention])"""),
            [[int(row[name]) for name in ("message", "compute", "ideal", "contention")] for row in rows])
        sums = [sum(int(row[name]) for row in rows) for name in ("compute", "ideal", "contention")]
        self.assertEqual(self.browser.find_element(By.ID, "critical").text,
                         f"{sum(sums)} = \u25a0 compute {sums[0]} + \u25a0 ideal {sums[1]} + \u25a0 contention {sums[2]}")
        operations = [row for row in PAGES.rows("training_step", "operations.csv") if int(row["start"]) < 490]
        self.assertEqual(
            self.js("""const {workload} = replay.model;
                return workload.operations.map((one, i) =>
                  [workload.operationName(i), workload.rows[one.row].join(), one.compute, one.start, one.finish])"""),
            sorted(([f"{row['name']}[{row['instance']}]", f"rank {row['rank']},{row['node']}", row["op"] == "compute",
                     int(row["start"]), int(row["finish"])] for row in operations), key=lambda one: (one[1], one[3])))
        middle = self.js(
            """const {lanes, timeline} = replay, canvas = document.getElementById("lanes");
            return lanes.workload.bars.map((bar) => [timeline.xOf((bar.from + Math.min(bar.to, 490)) / 2, canvas.clientWidth),
              lanes.top(bar.row) + (bar.lane + 0.5) * lanes.laneHeight])""")
        for number in (2, 3, 8):  # a collective, the computation beside it, that collective of another rank
            x, y = middle[number]
            self.click_lane(x, y)
            self.assertEqual(self.js("return replay.selected"), {"kind": "operation", "id": number})
        self.assertIn("Its messages, sent and received: 12", self.browser.find_element(By.ID, "panel").text)
        self.assertIn("operation=8", self.browser.current_url)
        self.click_lane(self.js("return replay.timeline.xOf(170, arguments[0])", self.browser.find_element(By.ID, "lanes").size["width"]), 8)
        first = int(rows[0]["message"])
        self.assertEqual(self.js("return [replay.selected.kind, replay.model.workload.number[replay.selected.id]]"), ["message", first])
        self.assertIn(f"Message {first}", self.browser.find_element(By.ID, "panel").text)
        self.assertIn("it waited for no other message", self.browser.find_element(By.ID, "panel").text)
        self.assertEqual(self.log(), [])

    def test_a_window_has_the_messages_that_released_its_own(self):
        self.open(PAGES.of("training_step", "--from", 400, "--to", 420))
        numbers = self.js("return [...replay.model.workload.number]")
        messages = PAGES.rows("training_step", "messages.csv")
        wanted = {int(row["message"]) for row in PAGES.rows("training_step", "critical_path.csv")}
        wanted |= {m for m, row in enumerate(messages) if int(row["created"]) < 420 and int(row["delivered"]) >= 400}
        for m in range(len(messages) - 1, -1, -1):
            if m in wanted and messages[m]["released_by"]:
                wanted.add(int(messages[m]["released_by"]))
        self.assertEqual(numbers, sorted(wanted))
        self.assertLess(len(numbers), len(messages))
        self.assertEqual(self.log(), [])

    def test_a_message_shows_its_chain(self):
        messages = PAGES.rows("memory_controllers", "messages.csv")
        chain = [len(messages) - 1]
        while messages[chain[-1]]["released_by"]:
            chain.append(int(messages[chain[-1]]["released_by"]))
        self.open(PAGES.of("memory_controllers"), f"#message={chain[0]}")
        self.assertEqual(self.js("return replay.model.workload.chainOf(replay.selected.id)"), chain[::-1])
        self.assertGreater(len(chain), 5)
        self.open(PAGES.of("memory_controllers"), f"#packet={chain[0]}")
        text = self.browser.find_element(By.ID, "message").text
        last, before = messages[chain[0]], messages[chain[1]]
        self.assertEqual(text, f"Message {chain[0]} of the flow {last['flow']}, released by message {chain[1]} of the flow "
                               f"{before['flow']} in step {before['delivered']}.")

    def test_overdue_messages_are_red(self):
        self.open(PAGES.of("deadlines"))
        self.assertEqual(self.js("const {workload} = replay.model; return [...workload.number.keys()].filter((m) => workload.overdue(m) > 0).length"), 0)
        alike = ["routing.allocator=islip", "routing.priority=none", "traffic.classes.urgent.channels=[0, 0]"]
        self.open(PAGES.of("deadlines", settings=alike))
        missed = sum(int(row["missed"]) for row in PAGES.rows("deadlines", "flows.csv", settings=alike))
        late = self.js("const {workload} = replay.model; return [...workload.number.keys()].filter((m) => workload.overdue(m) > 0)")
        self.assertGreater(missed, 0)
        self.assertEqual(len(late), missed)
        x, y = self.js(
            """const {lanes, timeline, model: {workload}} = replay, m = arguments[0];
            return [timeline.xOf(workload.delivered[m] - workload.overdue(m) / 2, document.getElementById("lanes").clientWidth),
              lanes.top(workload.rowAt.get(workload.source[m])) + 1]""", late[0])
        self.drawn()
        self.assertEqual(self.lane_colour(x, y), self.js("return replay.palette.alarm"))
        self.js("replay.select({kind: 'message', id: arguments[0]})", late[0])
        self.assertIn("It missed its deadline by", self.browser.find_element(By.ID, "overdue").text)

    def test_a_deadlock_shows_its_cycle(self):
        self.open(PAGES.of("vc_torus_deadlock"))
        self.keys(Keys.END)
        self.drawn()
        text = self.browser.find_element(By.ID, "panel").text
        self.assertIn("Deadlock cycle", text)
        self.assertEqual(self.js("return replay.model.facts.cycle.length"), 8)
        self.assertGreater(self.alarms(), 500)
        self.keys(Keys.HOME)
        self.drawn()
        self.assertEqual(self.alarms(), 0)

    def alarms(self):
        """Pixels of the scene in the colour of alarms."""
        return self.js(
            """const canvas = document.getElementById("scene");
            const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const [r, g, b] = [1, 3, 5].map((at) => parseInt(replay.palette.alarm.slice(at, at + 2), 16));
            let found = 0;
            for (let i = 0; i < data.length; i += 4) found += data[i] === r && data[i + 1] === g && data[i + 2] === b ? 1 : 0;
            return found;""")

    def test_a_node_shows_its_state_by_name(self):
        self.open(PAGES.of("torus_waves"))
        shown = self.js("""const {model} = replay, [node, fields] = [...model.states.byNode][0];
            const at = fields[0].steps.findIndex((step) => step > model.from);
            replay.select({kind: "node", id: node});
            replay.seek(fields[0].steps[at]);
            return [fields[0].name, model.states.values[fields[0].names][fields[0].values[at]]]""")
        self.drawn()
        self.assertIn("State", self.browser.find_element(By.ID, "panel").text)
        self.assertIn(" ".join(shown), self.browser.find_element(By.ID, "panel").text)
        self.open(PAGES.of("discipline_fifo"), "#node=1")
        self.assertIn("State fields of nodes are in waves.vcd", self.browser.find_element(By.ID, "panel").text)

    def test_flits_have_their_tags(self):
        # Of this algorithm: how often the packet has been deflected (docs/algorithms/deflection.md).
        self.open(PAGES.of("deflection_hot_spot", waves=True))
        away, wanted = {}, []
        for hop in PAGES.hops("deflection_hot_spot", waves=True):
            step, packet, node, port, to = (int(hop[name]) for name in ("step", "packet", "node", "port", "to"))
            target = self.js("return replay.model.destination[replay.packetIndex(arguments[0])]", packet)
            away.setdefault(packet, 0)
            away[packet] += distance(to, target) > distance(node, target)
            wanted.append([step, packet, away[packet]])
        self.assertGreater(max(tag for _, _, tag in wanted), 1)
        shown = self.js("""return arguments[0].map(([step, packet]) => {
            const [head] = replay.model.whereIs(replay.packetIndex(packet), step + 0.5);
            return [step, packet, replay.model.tagOf(head.row)];
          });""", wanted)
        self.assertEqual(shown, wanted)
        self.js("replay.setColour('tag')")
        self.drawn()
        self.assertEqual(self.js("return replay.scene.colours.includes('tag')"), True)
        self.open(PAGES.of("deflection_hot_spot"))
        self.assertEqual(self.js("return replay.scene.colours.includes('tag')"), False)

    def test_queues_are_those_of_the_result(self):
        # Routers; copies; memories of batches, and of open loop; several links into a node in a step.
        for name in ("demo", "vc_dragonfly_valiant", "broadcast_multicast", "discipline_fifo", "express_mesh_open_loop", "torus_3d_4x3x5_neighbour"):
            with open(PAGES.folder(name) / "result.json", encoding="ascii") as file:
                queue = json.load(file)["queue"]
            self.open(PAGES.of(name), f"#node={queue['node']}&step={queue['step']}")
            self.assertEqual(self.js("return Math.max(...replay.model.curves['longest queue'])"), queue["max"], name)
            if name.startswith(("demo", "vc_")):
                self.assertEqual(self.js("return replay.model.inside[arguments[0]]", queue["node"]), queue["max"], name)
                self.assertTrue(self.browser.find_element(By.ID, "in_buffers").text.startswith(f"{queue['max']}: "), name)

    def test_copies_of_a_packet_are_in_several_places(self):
        self.open(PAGES.of("broadcast_multicast"), "#packet=0")
        with open(PAGES.folder("broadcast_multicast") / "result.json", encoding="ascii") as file:
            hops = json.load(file)["links"]["flit_hops"]
        self.assertEqual(self.js("return replay.model.curves['flits moved'].reduce((a, b) => a + b)"), hops)
        self.assertIn("several nodes", self.browser.find_element(By.ID, "panel").text)
        for step in range(0, 40, 3):
            shown = self.js("""return Array.from({length: replay.model.nodes}, (_, node) =>
                replay.model.packetsIn(node, arguments[0]).buffer.map((p) => replay.model.id[p]))""", step)
            text = subprocess.run([PAGES.program, "show", PAGES.folder("broadcast_multicast"), "--step", str(step)],
                                  check=True, capture_output=True, text=True).stdout
            listed = [[] for _ in shown]
            for row, column, packets in re.findall(r"  node_r(\d+)_c(\d+): packets? ([0-9, ]+) in buffers", text):
                listed[4 * int(row) + int(column)] = [int(packet) for packet in re.findall(r"\d+", packets)]
            self.assertEqual(shown, listed, step)

    def test_a_window_begins_where_packets_were(self):
        self.open(PAGES.of("demo"), "#step=1500")
        whole = self.js("replay.model.goTo(1500); return [[...replay.model.inside], [...replay.model.memory]]")
        self.open(PAGES.of("demo", "--from", 1500, "--to", 1600))
        self.assertIn("steps 1500 to 1599 only", self.browser.find_element(By.ID, "note").text)
        part = self.js("replay.model.goTo(1500); return [[...replay.model.inside], [...replay.model.memory]]")
        self.assertEqual(part, whole)

    def test_light_and_dark(self):
        file = PAGES.of("discipline_fifo")
        papers = []
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                         {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open(file)
            papers.append(self.js("return getComputedStyle(document.body).backgroundColor"))
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.assertEqual(papers, ["rgb(255, 255, 255)", "rgb(20, 24, 29)"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
