// Searches that were kept under a name, and a link with the criteria of this one. Neither names a person: whoever gets the link or the
// name searches by it as themselves.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { mayOpen, REPORT_RIGHTS } from '../auth/rights';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';
import type { SearchCriteria } from './criteria';
import { KeepDialog } from './KeepDialog';
import { SaveCohort } from './SaveCohort';
import style from './search.module.css';
import { linkTo, searchOf, withoutIdentity } from './searchLink';
import type { SearchSetup } from './types';

const text = t.patients.savedSearch;

interface Props {
  setup: SearchSetup;
  criteria: SearchCriteria;
  use: (criteria: SearchCriteria) => void;
}

export function SavedSearches({ setup, criteria, use }: Props) {
  const { data, mutate } = useApi(at('/api/saved-searches', { registarID: setup.id }));
  const [saving, setSaving] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const { prava } = useWorker();
  const toast = useToast();
  const confirm = useConfirm();
  const searches = data?.data ?? [];
  const current = searches.find(({ id }) => id === chosen);
  const { isWhole } = withoutIdentity(criteria, setup);

  async function copy() {
    try {
      await navigator.clipboard.writeText(linkTo(setup, criteria));
      toast.success(text.copied, isWhole ? undefined : text.withoutIdentity);
    } catch (error) {
      toast.failure(text.notCopied, error);
    }
  }

  async function remove() {
    if (!current || !(await confirm({ message: text.removeQuestion(current.naziv), accept: text.remove, danger: true }))) return;
    try {
      await api.delete(at('/api/saved-searches/{id}', { id: current.id }));
      setChosen(null);
      await mutate();
    } catch (error) {
      toast.failure(text.notRemoved, error);
    }
  }

  return (
    <div className={style.saved}>
      {searches.length > 0 && (
        <>
          <Dropdown
            value={chosen}
            options={searches.map(({ id, naziv, vlasnik }) => ({ value: id, label: vlasnik == null ? naziv : text.of(naziv, vlasnik) }))}
            placeholder={text.choose}
            ariaLabel={text.choose}
            onChange={({ value }: { value: number }) => {
              setChosen(value);
              const search = searches.find(({ id }) => id === value);
              if (search) use(searchOf(search.upit, setup));
            }}
          />
          {current?.moja && (
            <Button
              type="button"
              icon="pi pi-trash"
              text
              severity="secondary"
              aria-label={text.removeOf(current.naziv)}
              onClick={() => void remove()}
            />
          )}
        </>
      )}
      <Button type="button" label={text.save} icon="pi pi-bookmark" text severity="secondary" onClick={() => setSaving(true)} />
      <Button type="button" label={text.link} icon="pi pi-link" text severity="secondary" onClick={() => void copy()} />
      {mayOpen(prava, REPORT_RIGHTS) && <SaveCohort setup={setup} criteria={criteria} />}
      {saving && (
        <SaveDialog
          setup={setup}
          criteria={criteria}
          onClose={() => setSaving(false)}
          onSaved={(id) => {
            setSaving(false);
            setChosen(id);
            void mutate();
          }}
        />
      )}
    </div>
  );
}

interface SaveProps extends Pick<Props, 'setup' | 'criteria'> {
  onClose: () => void;
  onSaved: (id: number) => void;
}

function SaveDialog({ setup, criteria, onClose, onSaved }: SaveProps) {
  const { kept, isWhole } = withoutIdentity(criteria, setup);
  async function keep(naziv: string, deljena: boolean) {
    const address = at('/api/saved-searches', { registarID: setup.id });
    const saved = await api.post(address, { registarID: setup.id, naziv, deljena, upit: { ...kept } });
    onSaved(saved.id);
  }
  return (
    <KeepDialog
      title={text.save}
      accept={t.common.save}
      name={text.name}
      missingName={text.missingName}
      longest={80}
      share={text.share}
      keep={keep}
      onClose={onClose}
      notes={!isWhole && <p>{text.withoutIdentity}</p>}
    />
  );
}
