// What the worker sees after signing in, and which letters are wanted. A choice is saved at once.
import { Checkbox } from 'primereact/checkbox';
import { RadioButton } from 'primereact/radiobutton';
import { useId } from 'react';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { opensPatients } from '../auth/rights';
import { t } from '../messages';
import type { Reply } from '../schema';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './profile.module.css';

const text = t.plans.start;
const SCREENS = ['pacijenti', 'mojDan'] as const;

export function StartPanel() {
  const { pacijenti } = useWorker();
  const { data, error, mutate } = useApi('/api/worker-start');
  const toast = useToast();
  const id = useId();
  // Whom no patient opens begins with the registers.
  if (!opensPatients(pacijenti)) return null;

  async function choose(chosen: Partial<Reply<'WorkerStart'>>) {
    if (!data) return;
    const next = { ...data, ...chosen };
    try {
      await api.put('/api/worker-start', next);
      await mutate(next, { revalidate: false });
      toast.success(text.saved);
    } catch (failure) {
      toast.failure(text.failed, failure);
    }
  }

  return (
    <Panel title={text.title}>
      {error && !data ? (
        <LoadFailed error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={2} />
      ) : (
        <>
          <fieldset className={style.start}>
            <legend>{text.first}</legend>
            {SCREENS.map((screen) => (
              <span key={screen}>
                <RadioButton
                  inputId={`${id}-${screen}`}
                  name="pocetna"
                  value={screen}
                  checked={data.pocetna === screen}
                  onChange={() => void choose({ pocetna: screen })}
                />{' '}
                <label htmlFor={`${id}-${screen}`}>{text[screen]}</label>
              </span>
            ))}
          </fieldset>
          <span>
            <Checkbox
              inputId={`${id}-pregled`}
              checked={data.nedeljniPregled}
              onChange={() => void choose({ nedeljniPregled: !data.nedeljniPregled })}
            />{' '}
            <label htmlFor={`${id}-pregled`}>{text.digest}</label>
          </span>
          <span>
            <Checkbox inputId={`${id}-upiti`} checked={data.javiUpite} onChange={() => void choose({ javiUpite: !data.javiUpite })} />{' '}
            <label htmlFor={`${id}-upiti`}>{text.questions}</label>
          </span>
        </>
      )}
    </Panel>
  );
}
