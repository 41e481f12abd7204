// Images that the API keeps as bare base64.

const TYPES: Record<string, string> = { '/': 'jpeg', i: 'png', R: 'gif', U: 'webp' };

/** A source for <img>; the type is told by the first character of the data. */
export function imageSource(base64: string | null | undefined): string | null {
  if (!base64) return null;
  if (base64.startsWith('data:image/')) return base64;
  const type = TYPES[base64.charAt(0)];
  return type ? `data:image/${type};base64,${base64}` : null;
}

/** The most bytes of a picture (B 9). */
export const MAX_IMAGE_BYTES = 1_000_000;

/** The file as bare base64; null when it is no picture, whatever its name says. */
export async function readImage(file: Blob): Promise<string | null> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('the file cannot be read', { cause: reader.error }));
    reader.readAsDataURL(file);
  });
  const data = address.slice(address.indexOf(',') + 1);
  return isPicture(data) ? data : null;
}

/** Told by the first bytes: JPEG, PNG, GIF, WEBP. */
const isPicture = (base64: string) => ['/9j/', 'iVBORw0KGgo', 'R0lGOD', 'UklGR'].some((start) => base64.startsWith(start));
