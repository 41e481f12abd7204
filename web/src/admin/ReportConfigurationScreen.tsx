// Reports: which template makes them and who may see what in them; their formats and parameters on further tabs (B 2.11).
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import type { ReportRow, ReportTypeRow } from '../api/types';
import { isEditable } from '../crud/CrudDialog';
import { CrudScreen } from '../crud/CrudScreen';
import { YES_NO, yesNo } from '../crud/CrudTable';
import { firstMissing } from '../crud/useForm';
import { t } from '../messages';
import { withCurrent } from './choices';
import { DesignerTab } from './reportDesigner/DesignerTab';
import { ReportFormats } from './ReportFormats';
import { ReportParameters } from './ReportParameters';

const text = t.admin.reports;
const EMPTY: ReportRow = {
  id: 0,
  naziv: '',
  numerickaVrednost: null,
  jasperFajl: '',
  prikazujeSe: false,
  opis: null,
  tipID: null,
  registarID: null,
  obim: 'ustanova',
  prilogUMejlu: false,
  neSaljiPrazan: false,
  najviseSekundi: 300,
};
/** What stands where a report is written in its designer alone: there is no such file. */
const NO_FILE = 'bez-fajla';
const SCOPES = Object.entries(text.scope).map(([value, label]) => ({ value, label }));

export default function ReportConfigurationScreen() {
  const { data: templates, error: templatesError } = useApi('/api/jasperi');
  const files = [{ value: NO_FILE, label: text.noFile }, ...(templates?.data.map(({ naziv }) => ({ value: naziv, label: naziv })) ?? [])];
  return (
    <CrudScreen<ReportRow, 'report'>
      path="/api/reports"
      resource="report"
      title={text.title}
      what={text.what}
      name={({ naziv }) => naziv}
      empty={EMPTY}
      columns={[
        'tipNaziv',
        'naziv',
        'numerickaVrednost',
        'jasperFajl',
        'opis',
        { field: 'prikazujeSe', body: ({ prikazujeSe }) => yesNo(prikazujeSe), filter: YES_NO },
      ]}
      validate={(report) =>
        firstMissing(report, [
          ['naziv', text.missingNaziv],
          ['numerickaVrednost', text.missingNumber],
          ['jasperFajl', text.missingTemplate],
          ['tipID', text.missingType],
          ['najviseSekundi', text.missingTime],
        ])
      }
      fields={(field, _mode, { jasperFajl }) => (
        <>
          {field.text('naziv', { required: true })}
          {field.number('numerickaVrednost', { required: true })}
          {templatesError && !templates
            ? field.text('jasperFajl', { required: true, help: text.templatesFailed })
            : field.select('jasperFajl', withCurrent(files, jasperFajl, jasperFajl), { required: true })}
          {field.found<ReportTypeRow>('tipID', { path: '/api/report-types', name: ({ naziv }) => naziv }, { required: true })}
          {field.area('opis')}
          {field.toggle('prikazujeSe', { help: text.shownHelp })}
          {field.found<Schema<'Register'>>(
            'registarID',
            { path: '/api/registers', name: ({ naziv }) => naziv },
            { help: text.registerHelp },
          )}
          {field.select('obim', SCOPES, { required: true })}
          {field.toggle('prilogUMejlu', { help: text.attachmentHelp })}
          {field.toggle('neSaljiPrazan')}
          {field.number('najviseSekundi', { required: true })}
        </>
      )}
      tabs={({ id }, mode) => [
        { title: text.formats, disabled: mode === 'create', content: <ReportFormats report={id} disabled={!isEditable(mode)} /> },
        { title: text.parameters, disabled: mode === 'create', content: <ReportParameters report={id} readOnly={!isEditable(mode)} /> },
        { title: t.reportDesigner.tab, disabled: mode !== 'update', content: <DesignerTab report={id} /> },
      ]}
    />
  );
}
