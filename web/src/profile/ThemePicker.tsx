// All themes as small pictures of themselves. A choice is worn at once and saved at once.
import { useRef } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { session, useWorker } from '../api/session';
import { THEMES } from '../gen/themes';
import { t } from '../messages';
import { DEFAULT_THEME, isTheme } from '../theme/theme';
import { useToast } from '../ui/toast';
import style from './profile.module.css';

export function ThemePicker() {
  const { id, theme } = useWorker();
  const toast = useToast();
  const current = isTheme(theme) ? theme : DEFAULT_THEME;

  // Arrow keys choose many themes in a row: one is saved after the other, and of those that wait only the last.
  const newest = useRef<string>(current);
  const saving = useRef(Promise.resolve());
  function choose(name: string) {
    session.update({ theme: name });
    newest.current = name;
    saving.current = session.saving(saving.current.then(() => (newest.current === name ? save(name) : undefined)));
  }

  async function save(name: string) {
    try {
      await api.patch(at('/api/workers/{id}', { id }), { theme: name });
    } catch (error) {
      session.update({ theme: current });
      toast.failure(t.profile.failed, error);
    }
  }

  return (
    <div role="radiogroup" aria-label={t.profile.theme} className={style.themes}>
      {THEMES.map(({ name, dark }) => (
        <label key={name} className={style.theme}>
          <input type="radio" name="theme" value={name} checked={name === current} onChange={() => choose(name)} />
          {/* The attribute gives this picture the other theme's variables. */}
          <span data-theme={name} className={style.picture} aria-hidden>
            <span className={style.pictureBar} />
            <span className={style.pictureSheet}>
              <span>Aa</span>
              <i />
              <i />
              <i />
            </span>
          </span>
          <span className={style.themeName}>
            {name}
            {dark && <small>{t.profile.darkTheme}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}
