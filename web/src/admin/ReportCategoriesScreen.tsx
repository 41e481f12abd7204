// Categories of reports: the first level of their tree (B 2.11).
import type { ReportCategoryRow } from '../api/types';
import { CrudScreen } from '../crud/CrudScreen';
import { firstMissing } from '../crud/useForm';
import { t } from '../messages';

const text = t.admin.reportCategories;

export default function ReportCategoriesScreen() {
  return (
    <CrudScreen<ReportCategoryRow, 'reportCategory'>
      path="/api/report-categories"
      resource="reportCategory"
      title={text.title}
      what={text.what}
      name={({ naziv }) => naziv}
      empty={{ id: 0, naziv: '', numerickaVrednost: null }}
      columns={['naziv', 'numerickaVrednost']}
      validate={(category) =>
        firstMissing(category, [
          ['naziv', text.missingNaziv],
          ['numerickaVrednost', text.missingNumber],
        ])
      }
      fields={(field) => (
        <>
          {field.text('naziv', { required: true })}
          {field.number('numerickaVrednost', { required: true })}
        </>
      )}
    />
  );
}
