// Rewrites PrimeReact's compiled "lara" stylesheet: every colour becomes a theme variable, chosen by what it paints. Rules of components
// that the site does not use are left out: each costs at every change of style.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import postcss from 'postcss';
import { GROUND, INK, LINE, MEANING, SHADES_OF_PRIMARY, SOFT, VEIL } from './primeColours.mjs';

const LARA = 'node_modules/primereact/resources/themes/lara-light-blue/theme.css';

const v = (name) => `var(--t-${name})`;

const ROOT = `:root {
  --surface-a: ${v('surface')};
  --surface-b: ${v('surface-2')};
  --surface-c: ${v('surface-3')};
  --surface-d: ${v('border')};
  --surface-e: ${v('surface')};
  --surface-f: ${v('surface')};
  --surface-ground: ${v('bg')};
  --surface-section: ${v('surface')};
  --surface-card: ${v('surface')};
  --surface-overlay: ${v('surface')};
  --surface-border: ${v('border')};
  --surface-hover: ${v('surface-3')};
  --text-color: ${v('text')};
  --text-color-secondary: ${v('muted')};
  --primary-color: ${v('primary')};
  --primary-color-text: ${v('on-primary')};
  --highlight-bg: ${v('primary-soft')};
  --highlight-text-color: ${v('primary-soft-text')};
  --border-radius: ${v('radius')};
  --content-padding: 1.25rem;
  --inline-spacing: 0.5rem;
  --focus-ring: 0 0 0 2px ${v('surface')}, 0 0 0 4px ${v('focus')};
  --focus-glow: 0 0 0 2px color-mix(in srgb, ${v('focus')} 45%, transparent);
  --maskbg: rgba(8, 20, 28, 0.5);
}
`;

function tonesFor(property) {
  if (/^(border|outline)/.test(property) && !/radius/.test(property)) return LINE;
  return property === 'color' || property === 'fill' || property === 'stroke' ? INK : GROUND;
}

/** White text stands on whatever its own rule is filled with. */
function inkOn(rule) {
  const fills = rule.nodes.filter(({ prop }) => prop === 'background' || prop === 'background-color');
  const fill = fills.map(({ value }) => /^#([0-9a-f]{6})/i.exec(value)?.[1].toLowerCase()).find(Boolean);
  const name = fill && (MEANING[fill]?.[0] ?? GROUND[fill]);
  if (!name) return 'on-primary';
  const base = name.replace(/-(hover|active)$/, '');
  return /^(primary|secondary|success|info|warning|danger|help|inverse)$/.test(base) ? `on-${base}` : 'text';
}

/** A declaration's value with theme variables in place of the original's colours and corners. */
function inTheme({ prop, value }, ink) {
  if (prop === 'box-shadow' && /#(?!f{3}|f{6})/i.test(value)) return /#ffffff/i.test(value) ? 'var(--focus-ring)' : 'var(--focus-glow)';
  if (/radius/.test(prop)) return value.replace(/\b6px\b/g, v('radius')).replace(/\b12px\b/g, v('radius-lg'));
  const tones = tonesFor(prop);
  const solid = (whole, digits) => {
    const key = digits.toLowerCase();
    if (tones === INK && (key === 'ffffff' || key === 'fff')) return v(ink);
    if (MEANING[key]) return v(MEANING[key][tones === INK ? 1 : 0]);
    if (tones[key]) return v(tones[key]);
    if (SHADES_OF_PRIMARY.has(key)) return v('primary-soft');
    throw new Error(`a colour without a variable: ${whole} in "${prop}: ${value}"`);
  };
  const translucent = (whole, rgb, alpha) => {
    if (SOFT[rgb]) return v(SOFT[rgb]);
    return VEIL[rgb] ? `color-mix(in srgb, ${v(VEIL[rgb])} ${Math.round(alpha * 100)}%, transparent)` : whole;
  };
  return value.replace(/#([0-9a-f]{6}|[0-9a-f]{3})\b/gi, solid).replace(/rgba\((\d+, \d+, \d+), ([\d.]+)\)/g, translucent);
}

const code = (component) => `node_modules/primereact/${component}/${component}.esm.js`;
const matches = (file, pattern) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name);
const imports = (file) => matches(file, /from 'primereact\/(\w+)'/g);

/** Components of which the site uses none, neither by import, be it inside others, nor by the name of a class. */
function unused() {
  const sources = readdirSync('src', { recursive: true })
    .filter((file) => /\.(tsx?|css)$/.test(file) && !file.startsWith('gen/'))
    .map((file) => `src/${file}`);
  const used = new Set(sources.flatMap(imports));
  for (const component of used) if (existsSync(code(component))) imports(code(component)).forEach((one) => used.add(one));
  for (const name of sources.flatMap((file) => matches(file, /\bp-([a-z]+)/g))) used.add(name);
  // A row of a table has its classes from the table.
  return new Set(readdirSync('node_modules/primereact').filter((one) => existsSync(code(one)) && !used.has(one) && one !== 'row'));
}

export function primeStylesheet() {
  const css = postcss.parse(readFileSync(LARA, 'utf8'), { from: LARA });
  const leftOut = unused();
  const isUsed = (selector) => [...selector.matchAll(/\.p-([a-z]+)/g)].every(([, component]) => !leftOut.has(component));
  css.walkComments((comment) => comment.remove());
  css.walkAtRules('font-face', (font) => font.remove());
  css.walkRules((rule) => {
    rule.selectors = rule.selectors.filter(isUsed);
    if (rule.selector === '' || rule.selector === ':root') return rule.remove();
    const ink = inkOn(rule);
    rule.walkDecls((declaration) => {
      if (!declaration.variable) declaration.value = inTheme(declaration, ink);
    });
  });
  return ROOT + css.toString().replace(/\n{2,}/g, '\n');
}
