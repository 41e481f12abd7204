// Images that the API keeps as bare base64.

const TYPES: Record<string, string> = { '/': 'jpeg', i: 'png', R: 'gif', U: 'webp' };

/** A source for <img>; the type is told by the first character of the data. */
export function imageSource(base64: string | null | undefined): string | null {
  if (!base64) return null;
  if (base64.startsWith('data:image/')) return base64;
  const type = TYPES[base64.charAt(0)];
  return type ? `data:image/${type};base64,${base64}` : null;
}
