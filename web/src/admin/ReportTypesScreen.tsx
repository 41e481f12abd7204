// Types of reports: the second level of their tree (B 2.11).
import type { ReportCategoryRow, ReportTypeRow } from '../api/types';
import { CrudScreen } from '../crud/CrudScreen';
import { firstMissing } from '../crud/useForm';
import { t } from '../messages';

const text = t.admin.reportTypes;

export default function ReportTypesScreen() {
  return (
    <CrudScreen<ReportTypeRow, 'reportType'>
      path="/api/report-types"
      resource="reportType"
      title={text.title}
      what={text.what}
      name={({ naziv }) => naziv}
      empty={{ id: 0, naziv: '', numerickaVrednost: null, kategorijaID: null }}
      columns={['kategorijaNaziv', 'naziv', 'numerickaVrednost']}
      validate={(type) =>
        firstMissing(type, [
          ['naziv', text.missingNaziv],
          ['numerickaVrednost', text.missingNumber],
          ['kategorijaID', text.missingCategory],
        ])
      }
      fields={(field) => (
        <>
          {field.found<ReportCategoryRow>(
            'kategorijaID',
            { path: '/api/report-categories', name: ({ naziv }) => naziv },
            { required: true },
          )}
          {field.text('naziv', { required: true })}
          {field.number('numerickaVrednost', { required: true })}
        </>
      )}
    />
  );
}
