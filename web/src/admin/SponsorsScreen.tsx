// Sponsors, whose logos stand at the foot of every page (B 2.4). Everyone may look at them; changing them takes right 5.
import type { SponsorRow } from '../api/types';
import { mayOpen, Right } from '../auth/rights';
import { useWorker } from '../api/session';
import { CrudScreen } from '../crud/CrudScreen';
import { firstMissing } from '../crud/useForm';
import { label, t } from '../messages';
import { imageSource } from '../ui/image';
import style from './admin.module.css';

const text = t.admin.sponsors;
const EMPTY: SponsorRow = {
  id: 0,
  name: '',
  code: '',
  displayOrder: null,
  description: null,
  note: null,
  address: null,
  phone: null,
  websiteUrl: null,
  logo: null,
};

export default function SponsorsScreen() {
  const { prava } = useWorker();
  return (
    <CrudScreen<SponsorRow, 'sponsor'>
      path="/api/sponsors"
      resource="sponsor"
      deletedForGood
      title={text.title}
      what={text.what}
      name={({ name }) => name}
      empty={EMPTY}
      columns={['displayOrder', { field: 'logo', body: Thumbnail, filter: false, sortable: false }, 'name', 'code', 'phone', 'websiteUrl']}
      readOnly={!mayOpen(prava, [Right.Registers])}
      maximized
      validate={(sponsor) =>
        firstMissing(sponsor, [
          ['name', text.missingName],
          ['code', text.missingCode],
          ['displayOrder', text.missingOrder],
        ])
      }
      fields={(field) => (
        <>
          {field.text('name', { required: true })}
          {field.text('code', { required: true })}
          {field.number('displayOrder', { required: true })}
          {field.text('address')}
          {field.text('phone', { inputMode: 'tel' })}
          {field.text('websiteUrl', { help: text.website })}
          {field.area('description')}
          {field.area('note')}
          {field.image('logo')}
        </>
      )}
    />
  );
}

function Thumbnail({ name, logo }: SponsorRow) {
  const source = imageSource(logo);
  return source ? (
    <img src={source} alt={`${label('sponsor.logo')}: ${name}`} className={style.thumbnail} />
  ) : (
    <span className="pi pi-heart" role="img" aria-label={text.noLogo} />
  );
}
