// The criteria of a search in an address: after `#`, so that no server and no log on the way is sent them.

const MARK = '#pretraga=';

/** What stands after the address of a register's search. */
export function searchHash(kept: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(kept));
  const text = btoa(String.fromCharCode(...bytes));
  return `${MARK}${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

export const searchAddress = (register: number, kept: object): string => `/registri/${String(register)}${searchHash(kept)}`;

/** What the address brought; none: nothing, or what nobody can read. */
export function criteriaIn(hash: string): { kept: unknown } | null {
  if (!hash.startsWith(MARK)) return null;
  try {
    const text = atob(hash.slice(MARK.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return { kept: JSON.parse(new TextDecoder().decode(bytes)) as unknown };
  } catch {
    return null;
  }
}
