// A day with a time as two inputs hold it: `2026-03-05T08:05`. While one of them is blank or is no such thing, the value says so and no
// part of it is lost: `2026-03-05T`, `T08:05`.

export function splitMoment(value: string | null): [day: string | null, time: string | null] {
  if (value === null) return [null, null];
  const at = value.lastIndexOf('T');
  return at < 0 ? [value, null] : [value.slice(0, at) || null, value.slice(at + 1) || null];
}

export const joinMoment = (day: string | null, time: string | null): string | null =>
  day === null && time === null ? null : `${day ?? ''}T${time ?? ''}`;
