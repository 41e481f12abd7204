// Reads workbooks that a test got.
import { inflateRawSync } from 'node:zlib';

/** All parts of a zip as text, by name, by its central directory. */
export function parts(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const found = new Map<string, string>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, name, local] = [
      file.readUInt16LE(at + 10),
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
      file.readUInt32LE(at + 42),
    ];
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const part = file.subarray(start, start + size);
    found.set(file.toString('utf8', at + 46, at + 46 + name), (method === 8 ? inflateRawSync(part) : part).toString('utf8'));
    at += 46 + name + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return found;
}

/** All parts one after another. */
export const unzipped = (file: Buffer): string => [...parts(file).values()].join('');

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };
const plain = (xml: string) => xml.replace(/<[^>]*>/g, '').replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);

/** The texts of a workbook's rows, their cells parted by a space. */
export function sheetText(file: Buffer): string {
  const all = parts(file);
  const texts = [...(all.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map(([, text = '']) => plain(text));
  const sheets = [...all].filter(([name]) => name.startsWith('xl/worksheets/sheet')).map(([, sheet]) => sheet);
  const cell = ([, attributes = '', content = '']: RegExpMatchArray) =>
    / t="s"/.test(attributes) ? (texts[Number(plain(content))] ?? '') : plain(content);
  const row = (content: string) => [...content.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(cell).join(' ');
  return sheets.flatMap((sheet) => [...sheet.matchAll(/<row\b[^>]*>(.*?)<\/row>/gs)].map(([, content = '']) => row(content))).join('\n');
}
