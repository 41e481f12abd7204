// The theme is one attribute of the root element; every colour follows from it.
import { THEMES } from '../gen/themes';

export type ThemeName = (typeof THEMES)[number]['name'];

export const DEFAULT_THEME: ThemeName = 'regix';

export const isTheme = (name: string | null | undefined): name is ThemeName => THEMES.some((theme) => theme.name === name);

/** Absent, unknown or the product's own name: the default stylesheet (A 4). */
export function applyTheme(name: string | null | undefined): void {
  document.documentElement.dataset.theme = isTheme(name) ? name : DEFAULT_THEME;
}
