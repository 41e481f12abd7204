// What surrounds every screen: warning, top bar, content, sponsors. Without a signed-in worker, only the sign-in.
import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router';
import { api, REFUSED } from '../api/client';
import { useApi } from '../api/hooks';
import type { SignedInWorker } from '../api/types';
import { session, useSession } from '../api/session';
import { DutyScreen } from '../auth/DutyScreen';
import { SignIn } from '../auth/SignIn';
import { useLock } from '../auth/useLock';
import { t } from '../messages';
import { Product } from '../ui/Page';
import { useToast } from '../ui/toast';
import style from './Shell.module.css';
import { SponsorStrip } from '../ui/SponsorStrip';
import { applyTheme } from '../theme/theme';
import { TopBar } from './TopBar';
import { WarningBanner } from './WarningBanner';

export function Shell() {
  const worker = useSession();
  const first = useRef(worker?.id);

  // Another tab signed in as somebody else: nothing of the earlier worker may stay on the page.
  useEffect(() => {
    if (worker && first.current !== undefined && first.current !== worker.id) window.location.reload();
    first.current ??= worker?.id;
  }, [worker]);

  return worker ? <SignedIn worker={worker} /> : <SignIn />;
}

function SignedIn({ worker }: { worker: SignedInWorker }) {
  const toast = useToast();
  const { data: application } = useApi('/api/application');
  const product = application?.nazivAplikacije ?? t.product;
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const loading = useNavigation().state === 'loading';
  useLock(application?.zakljucavanjeMinuta ?? 0);

  // Rights, institution and theme may have changed since the sign-in.
  const { mutate: askAgain } = useApi('/api/session', {
    fetcher: () => session.follow(() => api.get('/api/session')),
    onError: (error) => toast.failure(t.shell.themeFailed, error),
  });
  useEffect(() => {
    const ask = () => void askAgain();
    window.addEventListener(REFUSED, ask);
    return () => window.removeEventListener(REFUSED, ask);
  }, [askAgain]);
  useEffect(() => applyTheme(worker.theme), [worker.theme]);

  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  if (worker.obaveza) return <DutyScreen worker={worker} duty={worker.obaveza} product={product} />;
  return (
    <div className={style.shell}>
      <a className={style.skip} href="#sadrzaj">
        {t.common.skipToContent}
      </a>
      <WarningBanner />
      <TopBar product={product} worker={worker} />
      {loading && <div className={style.progress} role="progressbar" aria-label={t.common.loading} />}
      <main id="sadrzaj" ref={main} tabIndex={-1} className={style.main}>
        <Product value={product}>
          {/* What is shown depends on the institution: for another one every screen begins anew. */}
          <Outlet key={worker.ustanovaID} />
        </Product>
      </main>
      <footer className={style.footer}>
        <SponsorStrip />
        <p>
          {product}
          {application && ` · ${t.shell.version(application.verzija)}`}
        </p>
      </footer>
    </div>
  );
}
