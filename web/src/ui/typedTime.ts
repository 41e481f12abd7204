// A time of day as somebody types it.
const SHAPES = [/^(?<hour>\d{1,2})$/, /^(?<hour>\d{1,2})\s*[:.,\s]\s*(?<minute>\d{1,2})$/, /^(?<hour>\d\d)(?<minute>\d\d)$/];

/** `8`, `8:5`, `8.30`, `08:05` and `0805` -> `HH:mm`; null where the day has no such time. */
export function typedTime(text: string): string | null {
  const { hour, minute = '0' } = SHAPES.map((shape) => shape.exec(text.trim())?.groups).find(Boolean) ?? {};
  if (!hour || Number(hour) > 23 || Number(minute) > 59) return null;
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}
