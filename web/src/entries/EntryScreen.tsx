// The entry screen (A 2.8): loads what is to be shown for an address, and stays as it is when a save changes the address.
import { ProgressSpinner } from 'primereact/progressspinner';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { ApiError } from '../api/client';
import { t } from '../messages';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, LoadFailed } from '../ui/states';
import style from './drawing/entry.module.css';
import { claimed, gather, type FoundDraft } from './drafts/draft';
import { EntryForm, type Carried } from './EntryForm';
import { arrived, displayOf, load, shown, entryTarget } from './target';
import type { Display } from './model/types';

export { awaited } from './target';

const text = t.entries;

interface Loaded {
  path: string;
  /** The path of a new entry that was just saved, until the address has followed. */
  before?: string | undefined;
  display: Display;
  drafts: readonly FoundDraft[];
  /** What was typed by an older version of the form; none: nothing was. */
  carried?: Carried | undefined;
  /** Another one is another form on the screen. */
  instance: number;
}

export default function EntryScreen() {
  const { pathname, search } = useLocation();
  const target = useMemo(() => entryTarget({ pathname, search }), [pathname, search]);
  const [loaded, setLoaded] = useState<Loaded | null>(() => {
    const display = arrived(target);
    return target && display && { path: target.path, display, drafts: [], instance: 1 };
  });
  const [failed, setFailed] = useState<{ path: string; error: unknown } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const path = target?.path;
  const isLoaded = loaded !== null && (loaded.path === path || loaded.before === path);
  if (loaded?.before !== undefined && loaded.path === path) setLoaded({ ...loaded, before: undefined });

  useEffect(() => {
    if (isLoaded) shown();
    if (!target || isLoaded) return;
    const abort = new AbortController();
    const { path } = target;
    const answers = load(target, abort.signal);
    Promise.all([answers.display, gather(answers)])
      .then(async ([display, found]) => {
        const own = display.pravoIzmene ? await claimed(found) : [];
        if (abort.signal.aborted) return own.forEach((draft) => draft.letGo());
        setLoaded((before) => ({ path, display, drafts: own, instance: (before?.instance ?? 0) + 1 }));
        setFailed(null);
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) setFailed({ path, error });
      });
    return () => abort.abort();
  }, [target, isLoaded, attempt]);

  if (!target) return <NotFound />;
  if (isLoaded) {
    return (
      <EntryForm
        key={loaded.instance}
        display={loaded.display}
        drafts={loaded.drafts}
        date={target.date}
        carried={loaded.carried ?? null}
        onNewest={(display, carried) => setLoaded({ ...loaded, display, carried, drafts: [], instance: loaded.instance + 1 })}
        onSaved={(display, id) => setLoaded({ ...loaded, display, path: displayOf(id), before: loaded.path })}
      />
    );
  }
  const error = failed?.path === path ? failed?.error : null;
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  const retry = () => {
    setFailed(null);
    setAttempt(attempt + 1);
  };
  return (
    <Page title={text.title}>
      <Panel>
        {error instanceof ApiError && error.status === 403 ? (
          <EmptyState icon="pi-lock" title={error.message} />
        ) : error ? (
          <LoadFailed title={text.loadFailed} error={error} retry={retry} />
        ) : (
          <div role="status" aria-label={t.common.loading} className={style.loading}>
            <ProgressSpinner />
          </div>
        )}
      </Panel>
    </Page>
  );
}
