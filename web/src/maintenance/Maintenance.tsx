// The frame of the maintenance area (A 2.13): its navigation on the left, over the content on a narrow screen.
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { t } from '../messages';
import { Page } from '../ui/Page';
import style from './maintenance.module.css';

const text = t.maintenance;
const SCREENS = [
  { to: '/reload/jasperi', label: text.templates, icon: 'pi-file' },
  { to: '/reload/konekcija', label: text.connections, icon: 'pi-database' },
  { to: '/reload/parametri', label: text.parameters, icon: 'pi-sliders-h' },
];

export function Maintenance({ title, lead, actions, children }: { title: string; lead: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title={`${text.title}: ${title}`} lead={lead} actions={actions}>
      <div className={style.layout}>
        <nav aria-label={text.title} className={style.nav}>
          <ul>
            {SCREENS.map(({ to, label, icon }) => (
              <li key={to}>
                <NavLink to={to}>
                  <span className={`pi ${icon}`} aria-hidden />
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className={style.content}>{children}</div>
      </div>
    </Page>
  );
}
