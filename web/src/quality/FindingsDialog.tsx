// What rules have found about one field or in all of an entry: confirmed as right, or asked about.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputText } from 'primereact/inputtext';
import { use, useState } from 'react';
import { Link } from 'react-router';
import { at } from '../api/address';
import { api, messageOf } from '../api/client';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import { QuestionsContext } from '../questions/context';
import { QuestionsDialog } from '../questions/QuestionsDialog';
import { Field } from '../ui/Field';
import { useFocusReturn } from '../ui/useFocusReturn';
import { isOpen, wordsOf, type EntryFinding, type OpenFindings } from './context';
import style from './quality.module.css';

const text = t.quality;

interface NamedField {
  id: number;
  name: string;
}

interface Props {
  open: OpenFindings;
  /** None: all findings of the entry. */
  field: NamedField | null;
  onClose: () => void;
}

export function FindingsDialog({ open, field, onClose }: Props) {
  useFocusReturn();
  const [asked, setAsked] = useState<EntryFinding | null>(null);
  const questions = use(QuestionsContext);
  const about = open.findings.filter(({ poljeID }) => field === null || poljeID === field.id);
  if (asked && questions) {
    const finding = { id: asked.id, field: asked.poljeID ?? null, words: wordsOf(asked) };
    return <QuestionsDialog open={questions} field={field} finding={finding} onClose={onClose} />;
  }
  return (
    <Dialog
      visible
      header={field ? text.findingsOf(field.name) : text.findings}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      footer={<Button type="button" label={t.common.close} outlined onClick={onClose} />}
    >
      <div className={style.list}>
        {about.length === 0 && <p className={style.none}>{text.empty}</p>}
        {about.map((finding) => (
          <Finding
            key={finding.id}
            finding={finding}
            mayConfirm={open.mayConfirm}
            reload={open.reload}
            ask={questions?.mayAsk ? () => setAsked(finding) : null}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface FindingProps {
  finding: EntryFinding;
  mayConfirm: boolean;
  reload: () => void;
  /** None: the worker may not ask. */
  ask: (() => void) | null;
}

function Finding({ finding, mayConfirm, reload, ask }: FindingProps) {
  const { pravilo, tezina, pocetak, potvrda, drugiUnos } = finding;
  return (
    <section className={style.finding} data-severity={isOpen(finding) ? tezina : 'none'} aria-label={pravilo}>
      <header>
        <strong>{wordsOf(finding)}</strong>
        <small>
          {pravilo}, {text.severities[tezina]}, {text.since(formatDateTime(pocetak))}
        </small>
      </header>
      {drugiUnos && <Link to={entryPath(drugiUnos.unosID)}>{text.compared(formatDate(drugiUnos.datum))}</Link>}
      {potvrda && (
        <p className={style.confirmed}>
          <span className="pi pi-check-circle" aria-hidden /> {text.confirmed(potvrda.radnik, formatDateTime(potvrda.vreme))}
          {potvrda.napomena && `: ${potvrda.napomena}`}
        </p>
      )}
      {mayConfirm && <Confirmation key={potvrda ? 'back' : 'confirm'} finding={finding} reload={reload} />}
      {ask && (
        <div className={style.buttons}>
          <Button type="button" label={text.ask} icon="pi pi-flag" text size="small" onClick={ask} />
        </div>
      )}
    </section>
  );
}

function Confirmation({ finding: { id, potvrda }, reload }: { finding: EntryFinding; reload: () => void }) {
  const [napomena, setNapomena] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(deed: () => Promise<unknown>) {
    setBusy(true);
    setError(null);
    try {
      await deed();
    } catch (failure) {
      setError(messageOf(failure));
    }
    // Also where it was refused: the value may be another meanwhile.
    reload();
    setBusy(false);
  }

  if (potvrda) {
    return (
      <div className={style.buttons}>
        {error && <p role="alert">{error}</p>}
        <Button
          type="button"
          label={text.takeBack}
          icon="pi pi-replay"
          outlined
          size="small"
          loading={busy}
          onClick={() => void send(() => api.post(at('/api/findings/{id}/unconfirm', { id })))}
        />
      </div>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(() => api.post(at('/api/findings/{id}/confirm', { id }), { napomena }));
      }}
    >
      <Field label={text.note} error={error} help={text.confirmHelp}>
        {(control) => <InputText {...control} value={napomena} onChange={({ target }) => setNapomena(target.value)} />}
      </Field>
      <div className={style.buttons}>
        <Button type="submit" label={text.confirm} icon="pi pi-check" outlined loading={busy} />
      </div>
    </form>
  );
}
