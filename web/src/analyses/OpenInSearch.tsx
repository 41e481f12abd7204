// A cohort as a search: whoever reads it sees the patients behind the number. What a search does not take is told first.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { at } from '../api/address';
import { api } from '../api/client';
import { useWorker } from '../api/session';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';
import { hashOf } from '../patients/searchLink';
import { searchOfCohort } from './cohortSearch';
import type { Cohort } from './model';

const text = t.analyses.cohort;

export function OpenInSearch({ cohort }: { cohort: Cohort }) {
  const { pacijenti } = useWorker();
  const navigate = useNavigate();
  const toast = useToast();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  if (pacijenti === 'ne') return null;

  const open = async () => {
    const register = cohort.izbor.registarID;
    setBusy(true);
    try {
      const setup = await api.get(at('/api/registers/{id}/search-setup', { id: register }));
      const { criteria, unlike } = searchOfCohort(cohort, setup);
      const parts = unlike.map((part) => text.unlike[part]).join(', ');
      if (unlike.length > 0 && !(await confirm({ message: text.notInSearch(parts), accept: text.searchAnyway }))) return;
      await navigate(`/registri/${String(register)}${hashOf(criteria, setup)}`);
    } catch (error) {
      toast.failure(text.searchFailed, error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <Button type="button" label={text.search} icon="pi pi-search" text loading={busy} onClick={() => void open()} />
    </div>
  );
}
