// How long something lasts, in the two largest units.
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [days, hours, minutes] = [Math.floor(whole / 86_400), Math.floor(whole / 3_600) % 24, Math.floor(whole / 60) % 60];
  if (days) return hours ? `${String(days)} d ${String(hours)} h` : `${String(days)} d`;
  if (hours) return minutes ? `${String(hours)} h ${String(minutes)} min` : `${String(hours)} h`;
  if (minutes) return whole % 60 ? `${String(minutes)} min ${String(whole % 60)} s` : `${String(minutes)} min`;
  return `${String(whole)} s`;
}
