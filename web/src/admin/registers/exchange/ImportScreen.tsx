// A file is brought in: chosen, looked at, confirmed. What was looked at is what is stored, or the server says that it is not.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api, ApiError, messageOf } from '../../../api/client';
import type { Reply } from '../../../schema';
import type { RegisterRow } from '../../../api/types';
import { useReload } from '../../../crud/useCrud';
import { t } from '../../../messages';
import { useConfirm } from '../../../ui/confirm';
import { Field } from '../../../ui/Field';
import { FoundDropdown } from '../../../ui/FoundDropdown';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { useToast } from '../../../ui/toast';
import { useStillHere } from '../../../ui/useStillHere';
import { registerAddress, REGISTERS, type RegisterState } from '../operation';
import style from './exchange.module.css';
import { Renames, UNSAID } from '../../../versions/Renames';
import { FilePick } from './FilePick';
import type { ChosenFile } from './readFile';
import { ReportView } from './ReportView';

const text = t.exchange;

export default function ImportScreen() {
  const [query] = useSearchParams();
  const given = Number(query.get('registar')) || null;
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [registarID, setRegister] = useState<number | null>(given);
  const [naziv, setNaziv] = useState('');
  const [sifra, setSifra] = useState('');
  const [report, setReport] = useState<Reply<'ImportReport'> | null>(null);
  const [wording, say] = useState(UNSAID);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const stillHere = useStillHere();
  const [registers, forms] = [useReload('/api/registers'), useReload('/api/forms')];
  const sent = (chosen: ChosenFile) => ({
    ...chosen,
    ...wording,
    registarID,
    naziv: registarID === null ? naziv : null,
    sifra: registarID === null ? sifra : null,
  });
  // Of another file, or another register, the report says nothing.
  const changing =
    <V,>(set: (value: V) => void) =>
    (value: V) => {
      set(value);
      setReport(null);
      say(UNSAID);
      setRefused(null);
    };

  async function check() {
    if (!file) return setRefused(text.noFile);
    setBusy(true);
    try {
      setReport(await api.ask('/api/definition-checks', sent(file)));
    } catch (error) {
      toast.failure(text.checkFailed, error);
    }
    setBusy(false);
  }

  async function bringIn(report: Reply<'ImportReport'>, potvrdjenoRezultata: number | null): Promise<void> {
    if (!file) return;
    try {
      const { registarID, formulari } = await api.post('/api/definition-imports', {
        ...sent(file),
        otisak: report.otisak,
        potvrdjenoRezultata,
      });
      await Promise.all([registers(), forms()]);
      toast.success(text.done(formulari.length));
      if (stillHere())
        void navigate(registerAddress(registarID), { state: { registarOperation: 'update', tab: 1 } satisfies RegisterState });
    } catch (error) {
      const differs = error instanceof ApiError ? error.answer?.uticaj : null;
      if (!differs) {
        toast.failure(text.failed, error);
        // Somebody has configured the register meanwhile: what would happen now is told.
        if (error instanceof ApiError && error.status === 409) await check();
        return;
      }
      const question = { title: text.impactQuestion, message: messageOf(error), accept: text.confirm, danger: true };
      if (await confirm(question)) await bringIn(report, differs.rezultata);
    }
  }

  async function openAsDraft(report: Reply<'ImportReport'>) {
    if (!file) return;
    setBusy(true);
    try {
      const { formular } = await api.post('/api/definition-drafts', { ...sent(file), otisak: report.otisak });
      if (stillHere()) void navigate(`/admin/formular/${String(formular)}/nacrt`);
    } catch (error) {
      toast.failure(text.draftFailed, error);
      if (error instanceof ApiError && error.status === 409) await check();
    }
    setBusy(false);
  }

  const press = async (report: Reply<'ImportReport'>) => {
    setBusy(true);
    await bringIn(report, null);
    setBusy(false);
  };

  return (
    <Page title={text.title} lead={text.lead} breadcrumb={[{ label: t.registerForms.registers, to: REGISTERS }, { label: text.title }]}>
      <Panel>
        <form
          className={style.form}
          onSubmit={(event) => {
            event.preventDefault();
            void check();
          }}
          noValidate
        >
          <div className={style.wide}>
            <Field label={text.file} required error={refused} help={text.fileHelp}>
              {(control) => <FilePick control={control} file={file} onChoose={changing(setFile)} onRefuse={setRefused} />}
            </Field>
          </div>
          <Field label={text.into} help={text.intoHelp}>
            {(control) => (
              <FoundDropdown<RegisterRow>
                id={control.id}
                aria-describedby={control['aria-describedby']}
                path="/api/registers"
                name={({ naziv }) => naziv}
                value={registarID}
                onChange={changing(setRegister)}
                showClear
              />
            )}
          </Field>
          {registarID === null && (
            <>
              <Field label={text.newName} help={text.fromFile}>
                {(control) => <InputText {...control} value={naziv} onChange={(event) => changing(setNaziv)(event.target.value)} />}
              </Field>
              <Field label={text.newCode} help={text.fromFile}>
                {(control) => <InputText {...control} value={sifra} onChange={(event) => changing(setSifra)(event.target.value)} />}
              </Field>
            </>
          )}
          <div className={style.actions}>
            <Button
              type="submit"
              label={text.check}
              icon="pi pi-search"
              outlined={report !== null}
              loading={busy && report === null}
              disabled={busy}
            />
            {report && report.greske.length === 0 && (
              <Button type="button" label={text.confirm} icon="pi pi-check" loading={busy} onClick={() => void press(report)} />
            )}
            {report?.formularNacrta != null && (
              <Button
                type="button"
                label={text.asDraft}
                icon="pi pi-pencil"
                outlined
                disabled={busy}
                tooltip={text.asDraftHelp}
                tooltipOptions={{ position: 'top' }}
                onClick={() => void openAsDraft(report)}
              />
            )}
          </div>
        </form>
        {report && report.greske.length > 0 && <Message severity="error" text={text.faultsHelp} className={style.message} />}
      </Panel>
      {report && report.greske.length === 0 && report.preimenovano.length > 0 && (
        <Panel>
          <Renames renames={report.preimenovano} said={wording} onSay={say} />
        </Panel>
      )}
      {report && <ReportView report={report} />}
    </Page>
  );
}
