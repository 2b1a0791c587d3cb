// SPDX-License-Identifier: Apache-2.0
// The data of a page: base64 of gzip of a length, facts as JSON, and sections of numbers, seven bits per byte (LEB128).

export class Numbers {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  number() {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      if (this.at >= this.bytes.length) throw new Error("the data of the page ends too early");
      const byte = this.bytes[this.at++];
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  }
  // Decodes 0, 1, 2, 3, ... to 0, -1, 1, -2, ...
  difference() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  done() {
    return this.at >= this.bytes.length;
  }
}

export async function unzipped(base64) {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// {facts, section(name)}: the facts, and a reader for the numbers of a section.
export function contentOf(bytes) {
  const head = new Numbers(bytes);
  const length = head.number();
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(head.at, head.at + length)));
  const sections = new Map();
  let at = head.at + length;
  for (const [name, size] of Object.entries(facts.sections)) {
    sections.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  return { facts, section: (name) => new Numbers(sections.get(name)) };
}
