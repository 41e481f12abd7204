// The second step of the own sign-in: on or off, and its codes on paper.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { api } from '../api/client';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { PasswordFirst, RecoveryCodes, SecondFactorSetup } from '../auth/SecondFactorSetup';
import { t } from '../messages';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './profile.module.css';

type Deed = 'on' | 'off' | 'codes';

const TITLES: Record<Deed, string> = { on: t.account.twoSteps, off: t.account.turnOff, codes: t.account.newCodes };

export function SecondFactorPanel() {
  const { data, error, mutate } = useApi('/api/second-factor');
  const [deed, setDeed] = useState<Deed | null>(null);
  const close = () => {
    setDeed(null);
    void mutate();
  };
  return (
    <Panel title={t.account.twoSteps}>
      {data ? <State data={data} begin={setDeed} /> : error ? <LoadFailed error={error} retry={() => void mutate()} /> : <Loading />}
      {deed && (
        <Dialog visible onHide={close} header={TITLES[deed]} style={{ width: 'min(30rem, 94vw)' }} draggable={false}>
          {deed === 'on' && <SecondFactorSetup onDone={close} />}
          {deed === 'off' && <TurnOff onDone={close} />}
          {deed === 'codes' && <NewCodes onDone={close} />}
        </Dialog>
      )}
    </Panel>
  );
}

function State({ data, begin }: { data: Schema<'SecondFactor'>; begin: (deed: Deed) => void }) {
  const { ukljucen, obavezan, preostaloKodova } = data;
  return (
    <div className={style.state}>
      <div>
        <Tag severity={ukljucen ? 'success' : 'warning'} value={ukljucen ? t.account.on : t.account.off} />
        <p>{ukljucen ? t.account.onHelp : t.account.offHelp}</p>
        {ukljucen && <p>{t.account.codesLeft(preostaloKodova)}</p>}
        {obavezan && <p>{t.account.required}</p>}
      </div>
      <div className={style.deeds}>
        {!ukljucen && <Button label={t.account.turnOn} icon="pi pi-shield" onClick={() => begin('on')} />}
        {ukljucen && <Button label={t.account.newCodes} severity="secondary" outlined onClick={() => begin('codes')} />}
        {ukljucen && !obavezan && <Button label={t.account.turnOff} severity="danger" outlined onClick={() => begin('off')} />}
      </div>
    </div>
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const toast = useToast();
  return (
    <PasswordFirst
      verb={t.account.turnOff}
      danger
      act={async (lozinka) => {
        await api.post('/api/second-factor/off', { lozinka });
        toast.success(t.account.turnedOff);
        onDone();
      }}
    />
  );
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <PasswordFirst
      verb={t.account.newCodes}
      act={async (lozinka) => setCodes((await api.post('/api/second-factor/recovery-codes', { lozinka })).kodovi)}
    />
  );
}
