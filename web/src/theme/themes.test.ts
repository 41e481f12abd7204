import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../scripts/lib/colour.mjs';
import { THEMES } from '../gen/themes';
import { applyTheme } from './theme';

// The names in the specification's order (A 4).
const NAMES =
  'regix cerulean cosmo cyborg darkly flatly journal litera lumen lux materia minty pulse sandstone simplex sketchy slate solar spacelab superhero united yeti';

const css = readFileSync('src/gen/themes.css', 'utf8');

function tokens(theme: string): Map<string, string> {
  const rule = css.slice(css.indexOf(`[data-theme='${theme}']`));
  const body = rule.slice(rule.indexOf('{') + 1, rule.indexOf('}'));
  return new Map([...body.matchAll(/--t-([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

it('has every theme of the specification', () => {
  expect(THEMES.map(({ name }) => name).join(' ')).toBe(NAMES);
});

describe.each(THEMES.map(({ name }) => name))('%s', (name) => {
  const token = tokens(name);
  const ratio = (ink: string, ground: string) => contrast(token.get(ink) ?? '', token.get(ground) ?? '');

  it('reads on every ground', () => {
    for (const ground of ['bg', 'surface', 'surface-2', 'surface-3'])
      for (const ink of ['text', 'muted', 'link', 'primary-text', 'danger-text', 'success-text', 'warning-text', 'info-text'])
        expect(ratio(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  it('reads on coloured buttons, messages and the top bar', () => {
    for (const colour of ['primary', 'secondary', 'success', 'info', 'warning', 'danger', 'help']) {
      for (const fill of [colour, `${colour}-hover`, `${colour}-active`])
        expect(ratio(`on-${colour}`, fill), `on ${fill}`).toBeGreaterThanOrEqual(4.5);
      expect(ratio(`${colour}-soft-text`, `${colour}-soft`), `${colour} message`).toBeGreaterThanOrEqual(4.5);
    }
    expect(ratio('nav-text', 'nav-bg')).toBeGreaterThanOrEqual(4.5);
    expect(ratio('nav-active-text', 'nav-active-bg')).toBeGreaterThanOrEqual(4.5);
  });

  it('shows where fields and the focus are', () => {
    for (const ground of ['bg', 'surface']) expect(ratio('focus', ground), `focus on ${ground}`).toBeGreaterThanOrEqual(3);
    expect(ratio('nav-focus', 'nav-bg')).toBeGreaterThanOrEqual(3);
    expect(ratio('field-border', 'surface')).toBeGreaterThanOrEqual(3);
  });
});

it('wears the default theme where none or an unknown one is kept', () => {
  applyTheme('darkly');
  expect(document.documentElement.dataset.theme).toBe('darkly');
  for (const name of [null, '', 'regix', 'nepoznata']) {
    applyTheme(name);
    expect(document.documentElement.dataset.theme).toBe('regix');
  }
});
