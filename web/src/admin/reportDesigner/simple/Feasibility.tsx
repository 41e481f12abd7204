// Of how many an indicator can be told, and for how many it is so, in the designer's institution: counted a moment after the choice rests.
import { useEffect, useState } from 'react';
import { at } from '../../../api/address';
import { api, messageOf } from '../../../api/client';
import { formatNumber } from '../../../format';
import { t } from '../../../messages';
import type { Reply } from '../../../schema';
import { problemOf, simpleReportOf, type SimpleDraft } from './model';
import style from './simple.module.css';

const text = t.simpleReport;
/** Milliseconds for which nothing changes before it is counted. */
const REST = 600;

interface Props {
  report: number;
  draft: SimpleDraft;
  form: Reply<'SimpleReportForm'>;
}

type CountAnswer = { of: string; count: Reply<'IndicatorCount'> } | { of: string; failed: string };

export function Feasibility({ report, draft, form }: Props) {
  const [found, setFound] = useState<CountAnswer | null>(null);
  const asked = problemOf(draft, form) === null ? JSON.stringify(simpleReportOf(draft)) : null;
  useEffect(() => {
    if (asked === null) return;
    let isLate = false;
    const count = async () => {
      try {
        const body = JSON.parse(asked) as Reply<'SimpleReport'>;
        const answer = await api.ask(at('/api/reports/{id}/indicator-count', { id: report }), body);
        if (!isLate) setFound({ of: asked, count: answer });
      } catch (error) {
        if (!isLate) setFound({ of: asked, failed: messageOf(error) });
      }
    };
    const timer = setTimeout(() => void count(), REST);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [asked, report]);
  const now = found?.of === asked ? found : null;
  return (
    <div role="status" className={style.feasibility}>
      {asked === null && <p className={style.help}>{text.notCountedYet}</p>}
      {asked !== null && !now && <p className={style.help}>{text.counting}</p>}
      {now && 'failed' in now && <p className={style.help}>{`${text.countFailed}: ${now.failed}`}</p>}
      {now && 'count' in now && <Counts count={now.count} isOfEntries={draft.broji === 'unose'} />}
    </div>
  );
}

function Counts({ count, isOfEntries }: { count: Reply<'IndicatorCount'>; isOfEntries: boolean }) {
  const { podobni, imenilac, brojilac, unosa, unosaSaPodacima } = count;
  const rows = [
    [text.eligible, podobni],
    [text.tellable, imenilac],
    [text.met, brojilac],
  ] as const;
  return (
    <>
      <dl className={style.counts}>
        {rows.map(([name, number]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatNumber(number)}</dd>
          </div>
        ))}
      </dl>
      <p className={style.help}>
        {text.countedIn(isOfEntries)} {text.carried(formatNumber(unosaSaPodacima), formatNumber(unosa))}
        {unosa > 0 && unosaSaPodacima === 0 && <strong> {text.toldOfNobody}</strong>}
      </p>
    </>
  );
}
