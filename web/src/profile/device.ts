// A browser's name for itself, as a person would say it: "Chrome, Windows".

const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

const named = (name: string, known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(name))?.[1];

/** None where it says nothing that is known. */
export const deviceOf = (userAgent: string | null): string | null =>
  [named(userAgent ?? '', BROWSERS), named(userAgent ?? '', SYSTEMS)].filter(Boolean).join(', ') || null;
