// The worklist of one person registered twice: likely pairs, and what institutions propose to one another.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useApi } from '../../api/hooks';
import type { Reply } from '../../schema';
import { formatDate, formatDateTime } from '../../format';
import { t } from '../../messages';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { Guide } from './Guide';
import style from './merging.module.css';

const text = t.merging;

export default function MergingScreen() {
  return (
    <Page title={text.screen} lead={text.lead} actions={<Guide label={text.guide} title={text.guideTitle} text={text.guideText} />}>
      <Pairs />
      <Proposals />
    </Page>
  );
}

function Pairs() {
  const [judged, setJudged] = useState(false);
  const { data, error, mutate } = useApi(at('/api/patient-pairs', { nijeIsta: judged }));
  return (
    <Panel
      title={judged ? text.judged : text.pairs}
      flush
      actions={<Button label={judged ? text.showOpen : text.showJudged} text size="small" onClick={() => setJudged(!judged)} />}
    >
      {error && !data ? (
        <LoadFailed error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={4} />
      ) : data.data.length === 0 ? (
        <EmptyState icon="pi-users" title={judged ? text.noJudged : text.noPairs} help={judged ? undefined : text.noPairsHelp} />
      ) : (
        <ul className={style.list} aria-label={judged ? text.judged : text.pairs}>
          {data.data.map((pair) => (
            <Pair key={`${pair.prvi.pacijentID} ${pair.drugi.pacijentID}`} pair={pair} onSaid={() => void mutate()} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Pair({ pair, onSaid }: { pair: Reply<'LikelyPair'>; onSaid: () => void }) {
  const toast = useToast();
  const navigate = useNavigate();
  const { prvi, drugi } = pair;
  async function say(nijeIsta: boolean) {
    try {
      await api.post('/api/patient-pairs', { prviID: prvi.pacijentID, drugiID: drugi.pacijentID, nijeIsta });
      toast.success(text.saved);
    } catch (failure) {
      toast.failure(text.saveFailed, failure);
    }
    onSaid();
  }
  // The one with more entries stays, unless the worker turns them round.
  const [left, gone] = drugi.unosa > prvi.unosa ? [drugi, prvi] : [prvi, drugi];
  return (
    <li>
      <div className={style.what}>
        {[prvi, drugi].map((one) => (
          <p key={one.pacijentID}>
            <Link to={`/pacijenti/${String(one.pacijentID)}`}>{one.imePrezime}</Link> {formatDate(one.datumRodjenja)}
            <span className={style.muted}>
              {one.jmbg} · {one.lbo} · {text.of(one.ustanova, one.unosa)}
            </span>
          </p>
        ))}
        <p className={style.muted}>{text.reasons[pair.razlog]}</p>
        {pair.receno && <p className={style.muted}>{text.saidBy(pair.rekao ?? '', formatDateTime(pair.receno))}</p>}
      </div>
      <div className={style.actions}>
        <Button
          label={text.compare}
          aria-label={text.compareOf(prvi.imePrezime, drugi.imePrezime)}
          size="small"
          onClick={() => void navigate(`/spajanjePacijenata/${String(left.pacijentID)}?drugi=${String(gone.pacijentID)}`)}
        />
        <Button
          label={pair.receno ? text.maybeSame : text.notSame}
          aria-label={pair.receno ? undefined : text.notSameOf(prvi.imePrezime, drugi.imePrezime)}
          size="small"
          outlined
          severity="secondary"
          onClick={() => void say(!pair.receno)}
        />
      </div>
    </li>
  );
}

function Proposals() {
  const { data, error, mutate } = useApi('/api/patient-merge-proposals');
  return (
    <Panel title={text.proposals} flush>
      {error && !data ? (
        <LoadFailed error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={3} />
      ) : data.data.length === 0 ? (
        <EmptyState icon="pi-inbox" title={text.noProposals} />
      ) : (
        <ul className={style.list} aria-label={text.proposals}>
          {data.data.map((proposal) => (
            <Proposal key={proposal.id} proposal={proposal} onAnswered={() => void mutate()} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Proposal({ proposal, onAnswered }: { proposal: Reply<'MergeProposal'>; onAnswered: () => void }) {
  const toast = useToast();
  const navigate = useNavigate();
  const name = text.into(proposal.gubitnik, proposal.pobednik);
  async function withdraw() {
    try {
      await api.post(at('/api/patient-merge-proposals/{id}/withdraw', { id: proposal.id }));
      toast.success(text.withdrawn);
    } catch (failure) {
      toast.failure(text.saveFailed, failure);
    }
    onAnswered();
  }
  return (
    <li>
      <div className={style.what}>
        <p>
          {name} <Tag value={text.states[proposal.status]} severity={proposal.status === 'ceka' ? 'warning' : 'secondary'} />
        </p>
        <p>
          {proposal.primljen
            ? text.received(proposal.ustanova, proposal.radnik, formatDateTime(proposal.vreme))
            : text.sent(proposal.ustanova, formatDateTime(proposal.vreme))}
        </p>
        <p className={style.muted}>{text.because(proposal.razlog)}</p>
        {proposal.odgovoreno && (
          <p className={style.muted}>
            {text.answered(proposal.odgovorio ?? '', formatDateTime(proposal.odgovoreno), proposal.razlogOdgovora ?? null)}
          </p>
        )}
      </div>
      {proposal.status === 'ceka' && (
        <div className={style.actions}>
          {proposal.primljen ? (
            <Button
              label={text.look}
              aria-label={text.lookOf(name)}
              size="small"
              onClick={() =>
                void navigate(
                  `/spajanjePacijenata/${String(proposal.pobednikID)}?drugi=${String(proposal.gubitnikID)}&predlog=${String(proposal.id)}`,
                )
              }
            />
          ) : (
            <Button label={text.withdraw} size="small" outlined severity="secondary" onClick={() => void withdraw()} />
          )}
        </div>
      )}
    </li>
  );
}
