// The frame of every screen: where it stands, its heading, what can be done, its content.
import { createContext, use, useEffect, type ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../messages';
import style from './Page.module.css';

export interface Crumb {
  label: string;
  to?: string;
  /** Travels with the navigation. */
  state?: unknown;
}

interface Props {
  title: string;
  lead?: ReactNode;
  /** Who the screen is about: stays in view. */
  about?: ReactNode;
  breadcrumb?: readonly Crumb[];
  actions?: ReactNode;
  /** Heading and actions stay in view while a long page scrolls; on a narrow screen the actions stand at its foot. */
  sticky?: boolean;
  children: ReactNode;
}

/** The name that the installation gives the product. */
export const Product = createContext<string>(t.product);

export function Page({ title, lead, about, breadcrumb, actions, sticky = false, children }: Props) {
  // Said to the whole document by a script: a `:has()` that asks for it would be asked again at every keystroke.
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (sticky) dataset.sticky = '';
    return () => {
      delete dataset.sticky;
    };
  }, [sticky]);
  return (
    <div className={style.page} data-sticky={sticky}>
      <title>{`${title} – ${use(Product)}`}</title>
      {breadcrumb && <Breadcrumb crumbs={breadcrumb} />}
      <header className={style.header} data-sticky={sticky}>
        <div className={lead ? style.told : undefined}>
          <h1>{title}</h1>
          {lead && <p className={style.lead}>{lead}</p>}
          {about && <div className={style.about}>{about}</div>}
        </div>
        {actions && <div className={style.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label={t.common.breadcrumb}>
      <ol className={style.breadcrumb}>
        {crumbs.map(({ label, to, state }, i) => (
          <li key={`${label} ${to ?? ''}`}>
            {to ? (
              <Link to={to} state={state}>
                {label}
              </Link>
            ) : (
              <span aria-current={i === crumbs.length - 1 ? 'page' : undefined}>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
