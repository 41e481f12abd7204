// Writes src/gen/themes.css (the variables of every theme), src/gen/themes.ts (their names) and src/gen/prime.css
// (PrimeReact's stylesheet with its colours replaced by those variables). Reads Bootswatch from node_modules, no network.
import { readFileSync } from 'node:fs';
import { contrast, hex, isDark, mix, readable, solid } from './lib/colour.mjs';
import { primeStylesheet } from './lib/prime.mjs';
import { regix } from './lib/regix.mjs';
import { generated } from './lib/write.mjs';

const BOOTSWATCH = [
  'cerulean',
  'cosmo',
  'cyborg',
  'darkly',
  'flatly',
  'journal',
  'litera',
  'lumen',
  'lux',
  'materia',
  'minty',
  'pulse',
  'sandstone',
  'simplex',
  'sketchy',
  'slate',
  'solar',
  'spacelab',
  'superhero',
  'united',
  'yeti',
];
const SEVERITIES = ['primary', 'secondary', 'success', 'info', 'warning', 'danger', 'help'];

/** The `--bs-…` variables of the first rule with this selector. */
function variables(css, selector) {
  const at = css.indexOf(selector);
  if (at < 0) return {};
  const body = css.slice(css.indexOf('{', at) + 1, css.indexOf('}', at));
  return Object.fromEntries([...body.matchAll(/--bs-([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value.trim()]));
}

function fromBootswatch(name) {
  const css = readFileSync(`node_modules/bootswatch/dist/${name}/bootstrap.css`, 'utf8');
  const root = variables(css, ':root,\n[data-bs-theme=light]');
  const body = hex(root['body-bg']);
  const dark = isDark(body);
  // Bootswatch's dark themes keep light values for all but the body at :root; the rest is in their dark block.
  const tones = dark ? { ...root, ...variables(css, '[data-bs-theme=dark]') } : root;
  const lift = (share) => mix(body, '#ffffff', share);
  const neutral = dark
    ? { bg: body, surface: lift(0.05), 'surface-2': lift(0.09), 'surface-3': lift(0.14), border: lift(0.2) }
    : {
        bg: mix(body, hex(root.primary), 0.035),
        surface: body,
        'surface-2': mix(body, '#000000', 0.03),
        'surface-3': mix(body, '#000000', 0.06),
        border: mix(body, '#000000', 0.13),
      };
  const colours = {};
  for (const c of SEVERITIES) {
    const base = c === 'help' ? root.purple : root[c];
    const button = variables(css, `\n.btn-${c} {`);
    colours[c] = {
      base: hex(base),
      on: /^#/.test(button['btn-color'] ?? '') ? button['btn-color'] : '#ffffff',
      soft: tones[`${c}-bg-subtle`],
      softBorder: tones[`${c}-border-subtle`],
      softText: tones[`${c}-text-emphasis`],
    };
  }
  const radius = Math.min(parseFloat(root['border-radius']) * (root['border-radius'].endsWith('px') ? 1 : 16), 14);
  return { dark, neutral, text: hex(root['body-color']), link: hex(root['link-color']), colours, radius, navOnPrimary: !dark };
}

/** A button must stand out from the sheet it lies on: Slate's own does not. */
const apart = (colour, sheet) => readable(colour, [sheet], isDark(sheet) ? 1.45 : 1.25);

/** Every variable of a theme, each text colour moved until it reads on all it may stand on. */
function tokens({ dark, neutral, text, link, muted, colours, radius, navOnPrimary }) {
  const grounds = [neutral.bg, neutral.surface, neutral['surface-2'], neutral['surface-3']];
  const body = readable(text, grounds, 7);
  const out = {
    ...neutral,
    text: body,
    muted: readable(muted ?? mix(body, neutral.surface, 0.35), grounds, 4.6),
    link: readable(link, grounds, 4.6),
    'field-border': readable(mix(neutral.surface, body, 0.3), [neutral.surface], 3),
    inverse: dark ? '#f1f3f5' : mix(body, '#000000', 0.1),
    'on-inverse': dark ? '#16191d' : '#ffffff',
    radius: `${radius}px`,
    'radius-lg': `${Math.round(radius * 1.5)}px`,
  };
  for (const c of SEVERITIES) {
    const { base, on, soft, softBorder, softText } = colours[c];
    const [fill, onFill] = solid(apart(base, neutral.surface), on);
    const away = onFill === '#ffffff' ? '#000000' : '#ffffff';
    // Bootswatch's dark grounds are almost black; a veil of the colour over the sheet keeps its meaning.
    const ground = soft && !dark ? hex(soft) : readable(mix(neutral.surface, fill, 0.3), [neutral.surface], dark ? 1.25 : 1);
    Object.assign(out, {
      [c]: fill,
      [`${c}-hover`]: mix(fill, away, 0.1),
      [`${c}-active`]: mix(fill, away, 0.18),
      [`on-${c}`]: onFill,
      [`${c}-text`]: readable(base, grounds, 4.6),
      [`${c}-soft`]: ground,
      [`${c}-soft-border`]: softBorder && !dark ? hex(softBorder) : mix(neutral.surface, base, 0.5),
      [`${c}-soft-text`]: readable(softText ?? base, [ground, ...grounds], 4.6),
    });
  }
  out.focus = readable(colours.primary.base, [neutral.bg, neutral.surface, neutral['surface-3']], 3.2);
  const bar = navOnPrimary ? out.primary : neutral.surface;
  const ink = navOnPrimary ? out['on-primary'] : body;
  const away = ink === '#ffffff' ? '#000000' : '#ffffff';
  const hover = navOnPrimary ? mix(bar, away, 0.12) : neutral['surface-3'];
  const active = navOnPrimary ? mix(bar, away, 0.24) : out['primary-soft'];
  Object.assign(out, {
    'nav-bg': bar,
    'nav-text': readable(ink, [bar, hover, active], 4.5),
    'nav-muted': readable(mix(ink, bar, 0.18), [bar, hover], 4.5),
    'nav-hover': hover,
    'nav-active-bg': active,
    'nav-active-text': navOnPrimary ? readable(ink, [active], 4.5) : out['primary-soft-text'],
    'nav-mark': navOnPrimary ? ink : out.primary,
    'nav-mark-ink': navOnPrimary ? bar : out['on-primary'],
    'nav-border': navOnPrimary ? bar : neutral.border,
    'nav-focus': readable(navOnPrimary ? ink : out.focus, [bar], 3.2),
  });
  const shade = dark ? '0 0 0' : '16 42 58';
  const strength = dark ? [0.5, 0.55, 0.6] : [0.06, 0.1, 0.18];
  out['shadow-1'] = `0 1px 2px rgb(${shade} / ${strength[0]})`;
  out['shadow-2'] = `0 4px 14px rgb(${shade} / ${strength[1]})`;
  out['shadow-3'] = `0 16px 40px rgb(${shade} / ${strength[2]})`;
  return out;
}

/** Text on ground: what must read in every theme. Also asserted by the tests, from the generated file. */
function verify(name, t) {
  const pairs = [];
  for (const ground of ['bg', 'surface', 'surface-2', 'surface-3'])
    for (const ink of ['text', 'muted', 'link', ...SEVERITIES.map((c) => `${c}-text`)]) pairs.push([ink, ground]);
  for (const c of SEVERITIES) pairs.push([`on-${c}`, c], [`on-${c}`, `${c}-hover`], [`${c}-soft-text`, `${c}-soft`]);
  pairs.push(['on-inverse', 'inverse'], ['nav-text', 'nav-bg'], ['nav-text', 'nav-hover'], ['nav-active-text', 'nav-active-bg']);
  const bad = pairs.filter(([ink, ground]) => contrast(t[ink], t[ground]) < 4.5);
  if (bad.length) throw new Error(`${name}: ${bad.map(([i, g]) => `${i} on ${g} ${contrast(t[i], t[g]).toFixed(2)}`).join(', ')}`);
}

const themes = [['regix', regix], ...BOOTSWATCH.map((name) => [name, fromBootswatch(name)])];
const rules = themes.map(([name, source]) => {
  const t = tokens(source);
  verify(name, t);
  const lines = Object.entries(t)
    .map(([key, value]) => `  --t-${key}: ${value};`)
    .join('\n');
  const selector = name === 'regix' ? `:root,\n[data-theme='regix']` : `[data-theme='${name}']`;
  return `${selector} {\n  color-scheme: ${source.dark ? 'dark' : 'light'};\n${lines}\n}\n`;
});

generated('src/gen/themes.css', '/* Generated by scripts/gen-themes.mjs. */\n' + rules.join('\n'));
generated(
  'src/gen/themes.ts',
  '// Generated by scripts/gen-themes.mjs.\nexport const THEMES = [\n' +
    themes.map(([name, { dark }]) => `  { name: '${name}', dark: ${dark} },\n`).join('') +
    '] as const;\n',
);
generated('src/gen/prime.css', '/* Generated by scripts/gen-themes.mjs. */\n' + primeStylesheet());
