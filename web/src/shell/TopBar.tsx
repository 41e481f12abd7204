// The top menu: in full on wide screens, behind one button on narrow ones.
import { Sidebar } from 'primereact/sidebar';
import { useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import type { SignedInWorker } from '../api/types';
import { signOut } from '../auth/signIn';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { isAnythingUnsaved } from '../ui/leaving';
import { screenAt } from '../screens';
import { Brand } from '../ui/Brand';
import { Disclosure } from './Disclosure';
import { InstitutionSwitch } from './InstitutionSwitch';
import { menuFor, type Menu, type MenuItem } from './menu';
import { QuestionsMark } from '../questions/QuestionsMark';
import { ReportsMark } from './ReportsMark';
import style from './TopBar.module.css';

const PROFILE = '/korisnickiProfil';
const REPORTS = '/izvestaji';

export function TopBar({ product, worker }: { product: string; worker: SignedInWorker }) {
  const menu = menuFor(worker.prava);
  return (
    <header className={style.bar}>
      <div className={style.inner}>
        <Drawer menu={menu} worker={worker} />
        <Link to="/registri" className={style.brand}>
          <Brand name={product} />
        </Link>
        <nav aria-label={t.menu.label} className={style.menu}>
          <WideMenu menu={menu} />
        </nav>
        <div className={style.person}>
          <QuestionsMark />
          <InstitutionSwitch worker={worker} />
          <WorkerName worker={worker} />
          <SignOutLink />
        </div>
      </div>
    </header>
  );
}

function WideMenu({ menu: { registers, administration, reports } }: { menu: Menu }) {
  const { pathname } = useLocation();
  const within = (items: readonly MenuItem[]) => items.some(({ to }) => pathname.startsWith(to));
  const [onlyReport] = reports;
  return (
    <>
      <NavLink to={registers.to} className={style.item}>
        {registers.label}
      </NavLink>
      {administration.length > 0 && (
        <Disclosure button={t.menu.administration} current={administration.some(({ items }) => within(items))}>
          <div className={style.groups}>
            {administration.map(({ label, items }) => (
              <section key={label}>
                <h2>{label}</h2>
                <Links items={items} />
              </section>
            ))}
          </div>
        </Disclosure>
      )}
      {reports.length === 1 && onlyReport ? (
        <NavLink to={onlyReport.to} className={style.item}>
          {onlyReport.label}
          <ReportsMark />
        </NavLink>
      ) : (
        reports.length > 1 && (
          <Disclosure
            button={
              <>
                {t.menu.reports} <ReportsMark />
              </>
            }
            current={within(reports)}
          >
            <Links items={reports} />
          </Disclosure>
        )
      )}
    </>
  );
}

function Links({ items }: { items: readonly MenuItem[] }) {
  return (
    <ul className={style.links}>
      {items.map(({ to, label }) => (
        <li key={to}>
          <NavLink to={to}>
            {label}
            {to === REPORTS && <ReportsMark />}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase('sr-Latn-RS');

function WorkerName({ worker: { imePrezime } }: { worker: SignedInWorker }) {
  const face = (
    <>
      <span className={style.avatar} aria-hidden>
        {initials(imePrezime)}
      </span>
      <span className={style.name}>{imePrezime}</span>
    </>
  );
  return screenAt(PROFILE) ? (
    <NavLink to={PROFILE} className={style.item} title={t.menu.profile}>
      {face}
    </NavLink>
  ) : (
    <span className={style.item}>{face}</span>
  );
}

function SignOutLink({ full }: { full?: boolean }) {
  const confirm = useConfirm();
  const leave = async () => {
    if (!isAnythingUnsaved() || (await confirm({ message: t.shell.unsavedSignOut, accept: t.menu.signOut }))) await signOut();
  };
  return (
    <a
      href="/"
      className={style.item}
      title={t.menu.signOut}
      onClick={(event) => {
        event.preventDefault();
        void leave();
      }}
    >
      <span className="pi pi-sign-out" aria-hidden />
      <span className={full ? undefined : style.signOut}>{t.menu.signOut}</span>
    </a>
  );
}

function Drawer({ menu: { registers, administration, reports }, worker }: { menu: Menu; worker: SignedInWorker }) {
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const sections = [
    { label: t.menu.label, items: [registers] },
    ...(reports.length ? [{ label: t.menu.reports, items: reports }] : []),
    ...administration,
  ];
  return (
    <div className={style.drawer}>
      <button
        type="button"
        className={style.item}
        aria-label={t.menu.open}
        aria-expanded={openedAt === key}
        onClick={() => {
          setOpenedAt(key);
          setWasOpened(true);
        }}
      >
        <span className="pi pi-bars" aria-hidden />
        <ReportsMark />
      </button>
      {wasOpened && (
        <Sidebar
          visible={openedAt === key}
          onHide={() => setOpenedAt(null)}
          aria-label={t.menu.label}
          header={worker.imePrezime}
          className={style.sidebar}
        >
          <nav aria-label={t.menu.label}>
            {sections.map(({ label, items }) => (
              <section key={label}>
                {label !== t.menu.label && <h2>{label}</h2>}
                <Links items={items} />
              </section>
            ))}
            <section>
              <ul className={style.links}>
                {screenAt(PROFILE) && (
                  <li>
                    <NavLink to={PROFILE}>{t.menu.profile}</NavLink>
                  </li>
                )}
                <li>
                  <SignOutLink full />
                </li>
              </ul>
            </section>
          </nav>
        </Sidebar>
      )}
    </div>
  );
}
