// Places on a drawing of values over time: days from left to right, an axis of round steps, the bounds that are normal.

export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** From the first day to the last across a width; a single day stands in the middle. */
export function across(dates: readonly string[], from: number, width: number): (date: string) => number {
  const days = dates.map(dayOf);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  return (date) => from + (last > first ? ((dayOf(date) - first) / (last - first)) * width : width / 2);
}

const rounded = (value: number) => Number(value.toPrecision(12));

/** Round steps from below the lowest value to above the highest: about three of them, on a range of the measure's own. */
export function ownSteps(lowest: number, highest: number): number[] {
  const span = highest - lowest || Math.max(Math.abs(highest), 1) / 2;
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= span / 3) ?? 10) * power;
  const from = Math.floor(rounded(lowest / step));
  const to = Math.max(Math.ceil(rounded(highest / step)), from + 1);
  return Array.from({ length: to - from + 1 }, (_, i) => rounded((from + i) * step));
}

export const isOutside = (value: number, low: number | null | undefined, high: number | null | undefined): boolean =>
  value < (low ?? -Infinity) || value > (high ?? Infinity);

/** The same text at one date after another is one stretch; it lasts until the next other one. */
export function stretchesOf(points: readonly { date: string; text: string }[]): { from: string; to: string; text: string }[] {
  const found: { from: string; to: string; text: string }[] = [];
  for (const { date, text } of points) {
    const last = found.at(-1);
    if (last) last.to = date;
    if (last?.text !== text) found.push({ from: date, to: date, text });
  }
  return found.filter(({ text }) => text !== '');
}
