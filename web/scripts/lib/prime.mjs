// Rewrites PrimeReact's compiled "lara" stylesheet: every colour becomes a theme variable, chosen by what it paints. Rules of components
// that the site does not use are left out: each costs at every change of style.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const v = (name) => `var(--t-${name})`;

// Tailwind greys of the original, by what the declaration paints.
const GROUND = {
  ffffff: 'surface',
  fff: 'surface',
  f9fafb: 'surface-2',
  f8f9fa: 'surface-2',
  f8f8fa: 'surface-2',
  f6f9fc: 'surface-2',
  f3f4f6: 'surface-3',
  f2f2f2: 'surface-3',
  e5e7eb: 'border',
  d1d5db: 'field-border',
  '9ca3af': 'muted',
  '6b7280': 'secondary',
  '4b5563': 'inverse',
  374151: 'inverse',
  '1f2937': 'inverse',
  111827: 'inverse',
};
const INK = {
  111827: 'text',
  '1f2937': 'text',
  374151: 'text',
  '4b5563': 'text',
  '6b7280': 'muted',
  '9ca3af': 'muted',
  d1d5db: 'muted',
  e5e7eb: 'muted',
  f9fafb: 'on-inverse',
  f8f9fa: 'on-inverse',
  ffffff: 'on-primary',
  fff: 'on-primary',
};
const LINE = {
  ffffff: 'surface',
  fff: 'surface',
  f9fafb: 'border',
  f3f4f6: 'border',
  f2f2f2: 'border',
  e5e7eb: 'border',
  dfe7ef: 'border',
  d1d5db: 'field-border',
  '9ca3af': 'field-border',
  '6b7280': 'muted',
  '4b5563': 'inverse',
  374151: 'inverse',
  '1f2937': 'inverse',
};
// Colours with a meaning: [as ground or line, as text].
const MEANING = {
  '3b82f6': ['primary', 'primary-text'],
  '2563eb': ['primary-hover', 'primary-text'],
  '1d4ed8': ['primary-active', 'primary-soft-text'],
  eff6ff: ['primary-soft', 'on-primary'],
  f5f9ff: ['primary-soft', 'on-primary'],
  bfdbfe: ['focus', 'focus'],
  '22c55e': ['success', 'success-text'],
  '16a34a': ['success-hover', 'success-text'],
  '15803d': ['success-active', 'success-text'],
  f97316: ['warning', 'warning-text'],
  ea580c: ['warning-hover', 'warning-text'],
  c2410c: ['warning-active', 'warning-text'],
  ef4444: ['danger', 'danger-text'],
  dc2626: ['danger-hover', 'danger-text'],
  b91c1c: ['danger-active', 'danger-text'],
  '0ea5e9': ['info', 'info-text'],
  '0284c7': ['info-hover', 'info-text'],
  '0369a1': ['info-active', 'info-text'],
  a855f7: ['help', 'help-text'],
  '9333ea': ['help-hover', 'help-text'],
  '7e22ce': ['help-active', 'help-text'],
  '64748b': ['secondary', 'secondary-text'],
  475569: ['secondary-hover', 'secondary-text'],
  334155: ['secondary-active', 'secondary-text'],
  e24c4c: ['danger', 'danger-text'],
  ea5455: ['danger', 'danger-text'],
  ff5757: ['danger-text', 'danger-soft-text'],
  cc8925: ['warning-text', 'warning-soft-text'],
  '1ea97c': ['success-text', 'success-soft-text'],
  // Parts that appear once: colour picker, input switch, password strength, rating, speed dial, organisation chart, tree.
  323232: ['inverse', 'text'],
  191919: ['inverse', 'text'],
  b7bcc5: ['field-border', 'muted'],
  ff9f42: ['warning', 'warning-text'],
  '29c76f': ['success', 'success-text'],
  e73d3e: ['danger', 'danger-text'],
  '022354': ['inverse', 'text'],
  '70aeff': ['primary', 'on-inverse'],
  '8cbeff': ['primary', 'on-inverse'],
};
const SHADES_OF_PRIMARY = new Set(['d0e1fd', 'abc9fb', '9dc1fb', '85b2f9', '609af8', '326fd1', '295bac', '204887', '183462']);
// Translucent colours: rgb triple -> variable.
const VEIL = {
  '59, 130, 246': 'primary',
  '34, 197, 94': 'success',
  '249, 115, 22': 'warning',
  '239, 68, 68': 'danger',
  '168, 85, 247': 'help',
  '14, 165, 233': 'info',
  '100, 116, 139': 'secondary',
  '31, 41, 55': 'inverse',
};
const SOFT = {
  '219, 234, 254': 'info-soft',
  '228, 248, 240': 'success-soft',
  '255, 242, 226': 'warning-soft',
  '255, 231, 230': 'danger-soft',
};

const unknown = new Set();

function paint(property) {
  if (/^(border|outline)/.test(property) && !/radius/.test(property)) return LINE;
  return property === 'color' || property === 'fill' || property === 'stroke' ? INK : GROUND;
}

function declaration(property, value, ink) {
  if (property === 'box-shadow' && /#(?!f{3}|f{6})/i.test(value))
    return `box-shadow: ${/#ffffff/i.test(value) ? 'var(--focus-ring)' : 'var(--focus-glow)'};`;
  const tones = paint(property);
  let text = value.replace(/#([0-9a-f]{6}|[0-9a-f]{3})\b/gi, (whole, digits) => {
    const key = digits.toLowerCase();
    if (tones === INK && (key === 'ffffff' || key === 'fff')) return v(ink);
    if (MEANING[key]) return v(MEANING[key][tones === INK ? 1 : 0]);
    if (tones[key]) return v(tones[key]);
    if (SHADES_OF_PRIMARY.has(key)) return v('primary-soft');
    unknown.add(`${whole} in "${property}: ${value}"`);
    return whole;
  });
  text = text.replace(/rgba\((\d+, \d+, \d+), ([\d.]+)\)/g, (whole, rgb, alpha) => {
    if (SOFT[rgb]) return v(SOFT[rgb]);
    return VEIL[rgb] ? `color-mix(in srgb, ${v(VEIL[rgb])} ${Math.round(alpha * 100)}%, transparent)` : whole;
  });
  if (/radius/.test(property)) text = text.replace(/\b6px\b/g, v('radius')).replace(/\b12px\b/g, v('radius-lg'));
  return `${property}: ${text};`;
}

/** White text stands on whatever its own rule is filled with. */
function inkOn(body) {
  const fill = body.match(/background(?:-color)?:\s*#([0-9a-f]{6})/i)?.[1].toLowerCase();
  const name = fill && (MEANING[fill]?.[0] ?? GROUND[fill]);
  if (!name) return 'on-primary';
  const base = name.replace(/-(hover|active)$/, '');
  return /^(primary|secondary|success|info|warning|danger|help|inverse)$/.test(base) ? `on-${base}` : 'text';
}

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

const code = (component) => `node_modules/primereact/${component}/${component}.esm.js`;
const imports = (file) => [...readFileSync(file, 'utf8').matchAll(/from 'primereact\/(\w+)'/g)].map(([, component]) => component);

const sources = readdirSync('src', { recursive: true })
  .filter((file) => /\.(tsx?|css)$/.test(file) && !file.startsWith('gen/'))
  .map((file) => `src/${file}`);

/** Components that the site uses, be it inside others. */
function components() {
  const used = new Set(sources.flatMap(imports));
  for (const component of used) if (existsSync(code(component))) imports(code(component)).forEach((one) => used.add(one));
  return used;
}

/** Components of which the site uses none. */
function unused() {
  const used = components();
  for (const file of sources) for (const [, family] of readFileSync(file, 'utf8').matchAll(/\bp-([a-z]+)/g)) used.add(family);
  // A row of a table has its classes from the table.
  return new Set(readdirSync('node_modules/primereact').filter((one) => existsSync(code(one)) && !used.has(one) && one !== 'row'));
}

/** What each component would put into the page when it appears (src/ui/primeHooks.ts says why it does not). */
function structure() {
  const require = createRequire(import.meta.url);
  const [shared] = /^var baseStyle[^]*?^var commonStyle .*$/m.exec(readFileSync(code('componentbase'), 'utf8')) ?? [];
  if (!shared) throw new Error('PrimeReact keeps the styles that its components share elsewhere now');
  const styles = new Set(new Function(`${shared}; return [baseStyle, commonStyle]`)());
  const { ComponentBase } = require('primereact/componentbase');
  const { extend } = ComponentBase;
  ComponentBase.extend = (component) => {
    if (component.css?.styles) styles.add(component.css.styles);
    return extend(component);
  };
  for (const component of [...components()].sort()) if (existsSync(code(component))) require(`primereact/${component}`);
  return [...styles].join('\n');
}

function withoutUnused(css) {
  const families = unused();
  const isUsed = (selector) => [...selector.matchAll(/\.p-([a-z]+)/g)].every(([, family]) => !families.has(family));
  return css.replace(/([^{}]*)\{([^{}]*)\}/g, (_whole, selectors, body) => {
    const kept = selectors.split(/,(?![^(]*\))/).filter(isUsed);
    return kept.length > 0 ? `${kept.join(',')}{${body}}` : '';
  });
}

const LAYER = '@layer primereact';

/** Rules and at-rules, as they stand beside each other. */
function statements(css) {
  const found = [];
  let [depth, start] = [0, 0];
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (depth > 0) continue;
    found.push(css.slice(start, index + 1).trim());
    start = index + 1;
  }
  return found;
}

/** Each statement where it stands last: the theme and the components have many in common, and the later one decides. */
function once(all) {
  const key = (statement) => statement.replace(/;?\s+/g, ' ');
  const last = new Map(all.map((statement, place) => [key(statement), place]));
  return all.filter((statement, place) => last.get(key(statement)) === place);
}

export function primeStylesheet() {
  const source = withoutUnused(
    readFileSync('node_modules/primereact/resources/themes/lara-light-blue/theme.css', 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/:root\s*\{[^}]*\}/g, '')
      .replace(/@font-face\s*\{[^}]*\}/g, ''),
  );
  const rules = source.replace(/\{([^{}]*)\}/g, (_whole, body) => {
    const ink = inkOn(body);
    return `{${body.replace(/([\w-]+)\s*:\s*([^;{}]+);/g, (_d, property, value) =>
      property.startsWith('--') ? `${property}: ${value};` : declaration(property, value, ink),
    )}}`;
  });
  if (unknown.size) throw new Error(`colours without a variable: ${[...unknown].join('; ')}`);
  const all = `${rules}\n${withoutUnused(structure().replace(/\/\*[^]*?\*\//g, ''))}`;
  const isLayered = (statement) => statement.startsWith(LAYER);
  const layered = statements(all)
    .filter(isLayered)
    .flatMap((layer) => statements(layer.slice(layer.indexOf('{') + 1, -1)));
  const free = statements(all).filter((statement) => !isLayered(statement));
  return [ROOT, `${LAYER} {`, ...once(layered), '}', ...once(free), '']
    .join('\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}
