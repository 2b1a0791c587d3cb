# SPDX-License-Identifier: Apache-2.0
"""Pages of `starloom replay` in Firefox: firefox_test.py PROGRAM PROJECT SCRATCH

What browser_test.py asks of Chromium in full is asked here in short: every page opens, plays and steps without an error.
Firefox is driven through Marionette, its own remote control. Leaves with status 77 where Firefox is missing.
"""
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import pages

BROWSER = next((path for path in map(pathlib.Path, ("/usr/bin/firefox-esr", "/usr/bin/firefox")) if path.exists()), None)
if BROWSER is None:
    print("skipped: there is no firefox")
    sys.exit(77)

PAGES = pages.PageMaker(*sys.argv[1:4])


class Firefox:
    """A headless Firefox. A message of Marionette is `LENGTH:JSON`; a command [0, number, name, facts], its answer [1, number,
    fault, result]."""

    def __init__(self, profile):
        # Port 0: any that is free; Firefox says which in a file. Without a graphics processor, as in most test machines.
        (profile / "user.js").write_text('user_pref("marionette.port", 0); user_pref("layers.acceleration.disabled", true);')
        self.process = subprocess.Popen(
            [BROWSER, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = profile / "MarionetteActivePort"
        deadline = time.monotonic() + 60
        while not (port.exists() and port.read_text()):
            assert self.process.poll() is None and time.monotonic() < deadline, "Firefox does not start"
            time.sleep(0.05)
        self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())))
        self.stream = self.socket.makefile("rb")
        self.receive()  # its greeting
        self.number = 0
        self.ask("WebDriver:NewSession")

    def receive(self):
        length = b""
        while (byte := self.stream.read(1)) != b":":
            assert byte, "Firefox is gone"
            length += byte
        return json.loads(self.stream.read(int(length)))

    def ask(self, name, **facts):
        self.number += 1
        text = json.dumps([0, self.number, name, facts]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, fault, result = self.receive()
        assert fault is None, fault
        return result

    def js(self, script, *words):
        return self.ask("WebDriver:ExecuteScript", script=script, args=words, sandbox=None)["value"]

    def errors(self):
        """Errors of pages from the disk, which the browser keeps in its console; and forgets them."""
        self.ask("Marionette:SetContext", value="chrome")
        found = self.js("""const errors = Services.console.getMessageArray().filter((one) =>
              one instanceof Ci.nsIScriptError && one.sourceName.startsWith("file:") && !(one.flags & one.warningFlag));
            Services.console.reset();
            return errors.map(String);""")
        self.ask("Marionette:SetContext", value="content")
        return found

    def quit(self):
        self.ask("Marionette:Quit")
        self.process.wait(60)


class PagesInFirefox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.profile = tempfile.TemporaryDirectory()
        cls.firefox = Firefox(pathlib.Path(cls.profile.name))

    @classmethod
    def tearDownClass(cls):
        cls.firefox.quit()
        cls.profile.cleanup()

    def open(self, file):
        self.firefox.errors()
        self.firefox.ask("WebDriver:Navigate", url=file.as_uri())
        for _ in range(1500):  # half a minute, for a busy machine
            if self.firefox.js("return globalThis.replay !== undefined && replay.frames > 0"):
                return
            time.sleep(0.02)
        self.fail(f"{file.name} does not open: {self.firefox.errors()}")

    def test_every_class_opens_plays_and_steps_without_an_error(self):
        for name in pages.CLASSES:
            with self.subTest(name):
                self.open(PAGES.of(name))
                times = self.firefox.js("""const times = [replay.time], key = (key) =>
                      document.getElementById("scene").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
                    key("ArrowRight");
                    times.push(replay.time);
                    key("End");
                    times.push(replay.time);
                    replay.select({kind: "packet", id: 0});
                    replay.draw();
                    replay.toggle();
                    replay.draw();
                    return [...times, replay.model.from, replay.model.to];""")
                begin, next_one, end, first, last = times
                self.assertEqual([begin, next_one, end], [first, min(first + 1, last), last])
                self.assertEqual(self.firefox.errors(), [])

    def test_an_error_would_be_seen(self):
        file = PAGES.scratch / "fault.html"
        file.write_text("<script>globalThis.replay = {frames: 1}; nothing();</script>")
        self.open(file)
        self.assertIn("nothing is not defined", str(self.firefox.errors()))

    def test_steps_show_the_positions_of_the_trace(self):
        self.open(PAGES.of("discipline_fifo"))
        hops = [[int(hop[name]) for name in ("step", "packet", "node", "port")] for hop in PAGES.hops("discipline_fifo")]
        shown = self.firefox.js("""return arguments[0].map(([step, packet, node, port]) => {
            const {model} = replay, [head] = model.whereIs(replay.packetIndex(packet), step + 0.5);
            return head.share === 0.5 && head.link === model.linkAt[node * model.facts.stride + port];
          });""", hops)
        self.assertEqual(shown, [True] * len(hops))

    def test_the_first_flit_has_its_colour_on_the_canvas(self):
        self.open(PAGES.of("discipline_fifo"))
        pixel, wanted = self.firefox.js("""replay.setColour("packet");
            const {scene, model} = replay, canvas = document.getElementById("scene");
            const row = model.linkRows[0];
            replay.seek(model.rowStep[row] + 0.5);
            replay.draw();
            const [x, y] = scene.camera.toScreen(...scene.pointOn(model.rowLink[row], 0.5)), ratio = canvas.width / canvas.clientWidth;
            const pixel = canvas.getContext("2d").getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data;
            return ["#" + [...pixel].slice(0, 3).map((c) => c.toString(16).padStart(2, "0")).join(""),
                    scene.colourOf(row, replay.time, {colour: "packet", palette: replay.palette})];""")
        self.assertEqual(pixel, wanted)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
