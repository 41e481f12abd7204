// A report by its address: a colleague's link, or a mark in the browser. It is made for who opens it, by her own rights and for her own
// institution, and is read at once where nothing is left to be asked.
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useApi } from '../../api/hooks';
import { newKey } from '../../api/key';
import { useWorker } from '../../api/session';
import { t } from '../../messages';
import type { Schema } from '../../schema';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { bodyOf, emptyDraft, errorsOf, isShown, typedValues, type RequestDraft } from '../request';
import { addressOf, askedIn } from './address';
import { ViewParameters } from './ViewParameters';

export default function ReportOpenScreen() {
  const { id = '' } = useParams();
  const { data: form, error, mutate } = useApi(at('/api/reports/{id}/parameters', { id: Number(id) }));
  if (error && !form)
    return (
      <Page title={t.reportView.title}>
        <Panel>
          <LoadFailed title={t.reports.parametersFailed} error={error} retry={() => void mutate()} />
        </Panel>
      </Page>
    );
  return (
    <Page title={form?.izvestaj.naziv ?? t.reportView.title} lead={form?.izvestaj.opis}>
      <Panel title={t.reportView.parameters}>{form ? <Asked form={form} /> : <Loading />}</Panel>
    </Page>
  );
}

function Asked({ form }: { form: Schema<'ReportToGenerate'> }) {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const toast = useToast();
  const { id: worker } = useWorker();
  const shown = form.parametri.filter(isShown);
  const asked = askedIn(hash, new Set(shown.filter(({ multiSelect }) => multiSelect).map(({ requestNaziv }) => requestNaziv)));
  const empty = emptyDraft(form);
  const begin: RequestDraft = {
    ...empty,
    values: { ...empty.values, ...typedValues(form, asked.values) },
    register: asked.register ?? empty.register,
  };
  const isComplete = hash !== '' && Object.keys(errorsOf(form, begin)).length === 0;
  const open = (run: string, replace: boolean) => void navigate(`/izvestaji/${run}/prikaz`, { replace });

  // One order for one opening of the address, however often the screen is drawn.
  const began = useRef(false);
  useEffect(() => {
    if (!isComplete || began.current) return;
    began.current = true;
    api
      .post('/api/report-queue', bodyOf(form, begin, worker, newKey(), null))
      .then((made) => {
        if (made.izvestajID) open(made.izvestajID, true);
      })
      .catch((error: unknown) => toast.failure(t.reports.submitFailed, error));
  });

  return (
    <ViewParameters
      form={form}
      begin={begin}
      ordered={(run, draft) => {
        // Back leads to what was asked for.
        window.history.replaceState(window.history.state, '', addressOf(form.izvestaj.id, draft));
        open(run, false);
      }}
    />
  );
}
