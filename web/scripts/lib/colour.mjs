// Colour arithmetic for the theme generator: sRGB hex in, hex out, contrast by WCAG 2.

export const hex = (value) => {
  const text = value.trim().toLowerCase();
  const rgb = text.match(/^rgba?\(\s*(\d+)[,\s]+(\d+)[,\s]+(\d+)/);
  if (rgb)
    return (
      '#' +
      rgb
        .slice(1, 4)
        .map((n) => Number(n).toString(16).padStart(2, '0'))
        .join('')
    );
  const short = text.match(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/);
  if (short)
    return (
      '#' +
      short
        .slice(1)
        .map((c) => c + c)
        .join('')
    );
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  const named = { white: '#ffffff', black: '#000000' }[text];
  if (named) return named;
  throw new Error(`not a colour: ${value}`);
};

const channels = (colour) => [1, 3, 5].map((i) => parseInt(hex(colour).slice(i, i + 2), 16));

/** `share` of `other` in `colour`, both opaque. */
export const mix = (colour, other, share) => {
  const [a, b] = [channels(colour), channels(other)];
  return (
    '#' +
    a
      .map((v, i) =>
        Math.round(v + (b[i] - v) * share)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  );
};

export const luminance = (colour) => {
  const [r, g, b] = channels(colour)
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

export const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

export const isDark = (colour) => luminance(colour) < 0.4;

/** The colour itself, or its nearest shade towards black or white that reads on every background given. */
export const readable = (colour, backgrounds, minimum) => {
  const worst = (c) => Math.min(...backgrounds.map((b) => contrast(c, b)));
  if (worst(colour) >= minimum) return hex(colour);
  const towards = worst('#000000') > worst('#ffffff') ? '#000000' : '#ffffff';
  for (let share = 0.02; share <= 1; share += 0.02) {
    const shade = mix(colour, towards, share);
    if (worst(shade) >= minimum) return shade;
  }
  throw new Error(`nothing reads at ${minimum} on ${backgrounds.join(', ')}`);
};

/**
 * A solid background and the text on it. White text is kept where darkening the background a little makes it read,
 * since a theme's character is white on its colour; otherwise the text turns dark.
 */
export const solid = (colour, wantedText = '#ffffff') => {
  const text = hex(wantedText);
  if (contrast(colour, text) >= 4.5) return [hex(colour), text];
  for (let share = 0.02; share <= 0.24; share += 0.02) {
    const shade = mix(colour, '#000000', share);
    if (contrast(shade, '#ffffff') >= 4.5) return [shade, '#ffffff'];
  }
  return [hex(colour), readable('#1a1d21', [colour], 4.5)];
};
