// The house theme: a cool paper ground, white sheets, ink rather than black, one deep teal for what can be done.

const colour = (base, soft, softBorder, softText) => ({ base, on: '#ffffff', soft, softBorder, softText });

export const regix = {
  dark: false,
  navOnPrimary: false,
  neutral: { bg: '#f3f6f8', surface: '#ffffff', 'surface-2': '#f8fafb', 'surface-3': '#eef3f5', border: '#dde5ea' },
  text: '#18252e',
  muted: '#54646f',
  link: '#0a6377',
  radius: 8,
  colours: {
    primary: colour('#0d6b80', '#e4f2f4', '#a9d3da', '#0a5466'),
    secondary: colour('#52636f', '#edf1f4', '#cdd7dd', '#3d4c57'),
    success: colour('#1d7a4c', '#e3f4ea', '#a8d9bd', '#165e3b'),
    info: colour('#2a62b0', '#e7effa', '#b1c9ec', '#214d8b'),
    warning: colour('#a85b0a', '#fdf1df', '#f0cd97', '#7f4508'),
    danger: colour('#bd3030', '#fceaea', '#efb5b5', '#962525'),
    help: colour('#6b4fa8', '#f0ebf9', '#cbbbe6', '#553f86'),
  },
};
