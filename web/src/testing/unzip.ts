// Reads workbooks that a test got.
import { inflateRawSync } from 'node:zlib';

/** All parts of a zip as text, one after another, by its central directory. */
export function unzipped(file: Buffer): string {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let [at, text] = [file.readUInt32LE(end + 16), ''];
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, local] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)];
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const part = file.subarray(start, start + size);
    text += (method === 8 ? inflateRawSync(part) : part).toString('utf8');
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return text;
}
