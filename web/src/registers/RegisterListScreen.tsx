// The list of registers (A 2.4).
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { useNavigate } from 'react-router';
import type { Schema } from '../schema';
import { useApi, useList } from '../api/hooks';
import { Message } from 'primereact/message';
import { UpgradeNotes } from '../upgrade/UpgradeNotes';
import { mayOpen, opensPatients, Right } from '../auth/rights';
import { useWorker } from '../api/session';
import { label, t } from '../messages';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { RegisterLogo } from './RegisterLogo';
import style from './registers.module.css';

export default function RegisterListScreen() {
  const navigate = useNavigate();
  const { pacijenti, prava } = useWorker();
  const isOpen = opensPatients(pacijenti);
  const { data, error, isLoading, mutate } = useList('/api/registers');
  const { data: parameters } = useApi('/api/parameter/registri');
  const { data: taken } = useApi(isOpen ? '/api/patient-takings/unseen' : null);
  const { data: waiting } = useApi(isOpen ? '/api/patient-transfers/waiting' : null);
  const fresh = taken?.broj ?? 0;
  const asked = [
    {
      to: '/spajanjePacijenata',
      right: Right.Merging,
      count: waiting?.spajanja ?? 0,
      name: t.menu.merging,
      waits: t.registers.mergesWaiting,
    },
    {
      to: '/premestanjePacijenata',
      right: Right.Transfer,
      count: waiting?.premestanja ?? 0,
      name: t.menu.transfers,
      waits: t.registers.transfersWaiting,
    },
  ].filter(({ right }) => mayOpen(prava, [right]));
  const open = ({ id }: Schema<'Register'>) => void navigate(`/registri/${id}`);

  return (
    <Page
      title={t.registers.title}
      actions={
        isOpen && (
          <>
            <Button label={t.plans.day.title} icon="pi pi-calendar" outlined onClick={() => void navigate('/mojDan')} />
            <Button label={t.patients.worklist.title} icon="pi pi-list" outlined onClick={() => void navigate('/mojaLista')} />
            <Button label={t.questions.mine} icon="pi pi-flag" outlined onClick={() => void navigate('/mojiUpiti')} />
            {mayOpen(prava, [Right.Questions, Right.Monitoring, Right.QualityRules]) && (
              <Button label={t.quality.title} icon="pi pi-chart-bar" outlined onClick={() => void navigate('/kvalitetPodataka')} />
            )}
            {asked.map(({ to, count, name, waits }) => (
              <Button
                key={to}
                label={count > 0 ? waits(count) : name}
                icon="pi pi-users"
                outlined
                severity={count > 0 ? 'warning' : 'secondary'}
                onClick={() => void navigate(to)}
              />
            ))}
            {mayOpen(prava, [Right.EntryLocking]) && (
              <Button label={t.menu.periodLocks} icon="pi pi-lock" outlined onClick={() => void navigate('/zakljucavanjePerioda')} />
            )}
            <Button
              label={t.patients.taking.menuWith(fresh)}
              icon="pi pi-arrow-right-arrow-left"
              outlined
              severity={fresh > 0 ? 'warning' : 'secondary'}
              onClick={() => void navigate('/preuzetiPacijenti')}
            />
          </>
        )
      }
    >
      <UpgradeNotes />
      {!isOpen && <Message severity="info" className={style.closed} text={`${t.error.patientsClosed} ${t.error.patientsClosedHelp}`} />}
      <Panel flush>
        {error && !data ? (
          <LoadFailed title={t.registers.loadFailed} error={error} retry={() => void mutate()} />
        ) : isLoading || !data ? (
          <Loading />
        ) : (
          <DataTable
            {...tableDefaults}
            value={data.data}
            dataKey="id"
            pt={{ table: { 'aria-label': t.registers.table } }}
            className={style.list}
            onRowClick={({ data: register }) => isOpen && open(register as Schema<'Register'>)}
            emptyMessage={<EmptyState title={t.registers.empty} help={t.registers.emptyHelp} />}
          >
            <Column
              header={label('register.redniBroj')}
              body={(_, { rowIndex }) => `${rowIndex + 1}.`}
              headerClassName={style.number}
              bodyClassName={style.number}
            />
            <Column
              field="naziv"
              header={label('register.naziv')}
              sortable
              body={(register: Schema<'Register'>) => (
                <span className={style.name}>
                  <RegisterLogo register={register} prefix={parameters?.putanjaLogoaRegistara} />
                  <span>
                    {register.naziv}
                    <small className={style.below}>{register.opis}</small>
                  </span>
                </span>
              )}
            />
            <Column field="opis" header={label('register.opis')} sortable headerClassName={style.beside} bodyClassName={style.beside} />
            {isOpen && (
              <Column
                header={<span className="sr-only">{t.table.actions}</span>}
                headerClassName={style.action}
                bodyClassName={style.action}
                body={(register: Schema<'Register'>) => (
                  <Button
                    label={t.common.open}
                    icon="pi pi-arrow-right"
                    iconPos="right"
                    outlined
                    aria-label={t.registers.open(register.naziv)}
                    onClick={(event) => {
                      event.stopPropagation();
                      open(register);
                    }}
                  />
                )}
              />
            )}
          </DataTable>
        )}
      </Panel>
    </Page>
  );
}
