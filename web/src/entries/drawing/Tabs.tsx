// The tabs of a form, or of a tab: the strip, and the body of each.
import { use, useCallback, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../messages';
import style from './entry.module.css';
import { useOpenEntry, useHiddenAmong, useWanted } from './form';
import { Fold, Later, SightContext } from './later';
import { StripArrow, useScrolling } from './StripArrow';
import { holdsValue, type FormField } from '../model/types';

const text = t.entries;

/** Whether a saved value lies in a tab: then it is shown although it is a hidden one. */
function useFilled() {
  const { store, inside } = useOpenEntry();
  const filled = (id: number): boolean =>
    inside(id).some((field) => (holdsValue(field) && store.baseValue(field.id) !== null) || filled(field.id));
  return filled;
}

/** `inside` draws what lies in a tab. */
export function Tabs({ tabs, inside }: { tabs: readonly FormField[]; inside: (tab: number) => ReactNode }) {
  const { store } = useOpenEntry();
  const wanted = useWanted(store);
  const filled = useFilled();
  const [revealed, setRevealed] = useState(() => tabs.some((tab) => !tab.prikazujeSe && filled(tab.id)));
  const [active, setActive] = useState<number | null>(null);
  const [visited, setVisited] = useState<ReadonlySet<number>>(new Set());
  const [heeded, setHeeded] = useState<typeof wanted>(null);
  const hiddenIds = useHiddenAmong(store, tabs);
  const strip = useRef<HTMLDivElement>(null);
  const scroll = useScrolling(strip);
  const inSight = use(SightContext);
  if (wanted !== heeded) {
    setHeeded(wanted);
    const target = tabs.find(({ id }) => wanted?.way.has(id));
    if (target) {
      setActive(target.id);
      if (!target.prikazujeSe) setRevealed(true);
    }
  }
  const offered = tabs.filter(({ id, prikazujeSe }) => (prikazujeSe || revealed) && !hiddenIds.includes(id));
  const now = offered.find(({ id }) => id === active) ?? offered[0];
  if (now && !visited.has(now.id)) setVisited(new Set([...visited, now.id]));

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || !now) return;
    event.preventDefault();
    const at = offered.indexOf(now);
    const next = Number.isFinite(step) ? (at + step + offered.length) % offered.length : step < 0 ? 0 : offered.length - 1;
    const target = offered[next];
    if (!target) return;
    setActive(target.id);
    strip.current?.querySelector<HTMLElement>(`#kartica-${target.id}`)?.focus();
  }

  return (
    <div className={style.tabs}>
      <div className={style.stripRow}>
        {scroll.canBack && <StripArrow label={text.tabsBefore} icon="pi-chevron-left" onPress={scroll.back} />}
        <div role="tablist" aria-label={text.segments} className={style.strip} ref={strip} onScroll={scroll.look}>
          {offered.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`kartica-${tab.id}`}
              aria-selected={tab === now}
              aria-controls={`kartica-${tab.id}-sadrzaj`}
              tabIndex={tab === now ? 0 : -1}
              onClick={() => setActive(tab.id)}
              onKeyDown={onKeyDown}
            >
              {tab.naziv}
            </button>
          ))}
        </div>
        {scroll.canOn && <StripArrow label={text.tabsAfter} icon="pi-chevron-right" onPress={scroll.on} />}
        {!revealed && tabs.some(({ prikazujeSe }) => !prikazujeSe) && (
          <button type="button" className={style.more} aria-label={text.more} title={text.more} onClick={() => setRevealed(true)}>
            <span className="pi pi-plus" aria-hidden />
          </button>
        )}
      </div>
      {offered.map((tab) => (
        <TabBody key={tab.id} id={tab.id} open={tab === now} drawn={inSight && visited.has(tab.id)} onFound={setActive}>
          {inside(tab.id)}
        </TabBody>
      ))}
    </div>
  );
}

interface BodyProps {
  id: number;
  open: boolean;
  drawn: boolean;
  onFound: (id: number) => void;
  children: ReactNode;
}

function TabBody({ id, open, drawn, onFound, children }: BodyProps) {
  const inSight = use(SightContext);
  const found = useCallback(() => onFound(id), [onFound, id]);
  return (
    <Fold
      role="tabpanel"
      id={`kartica-${id}-sadrzaj`}
      aria-labelledby={`kartica-${id}`}
      className={style.tabBody}
      open={open}
      onFound={found}
    >
      <SightContext value={inSight && open}>
        <Later now={drawn} rows={0}>
          {children}
        </Later>
      </SightContext>
    </Fold>
  );
}
