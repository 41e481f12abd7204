// Colours of series on a dark page. A drawing has those of white paper (report-engine/chart/src/palette.rs); where the page is dark, each has
// another one that stands out there and stays apart from the others for every kind of colour sight.

export const ON_DARK: Readonly<Record<string, string>> = {
  '#1b567a': '#5f80ae',
  '#d06a24': '#e36e1c',
  '#008c6e': '#49e897',
  '#782814': '#b36f4c',
  '#7850c8': '#ac5deb',
  '#4696d2': '#a4c7f4',
  '#3c3c3c': '#9f9f9f',
  '#d25aa0': '#f3e8eb',
  // What lies on a series, as the words of a slice.
  '#ffffff': '#000000',
};

/** Of a drawing of the server: what is none of its palette stays as it is. */
export const seriesColour = (hex: string | null | undefined): string | undefined => {
  const dark = ON_DARK[hex ?? ''];
  return dark === undefined ? undefined : `light-dark(${hex ?? ''}, ${dark})`;
};

/** Of a line whose colour the register chose. */
export const lineColour = (hex: string): string => seriesColour(hex) ?? `light-dark(${hex}, color-mix(in srgb, ${hex} 60%, white))`;
