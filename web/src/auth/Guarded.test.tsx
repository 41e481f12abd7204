import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { t } from '../messages';
import { show, signedIn } from '../testing/fakeApi';
import { Guarded } from './Guarded';
import { Right } from './rights';

const ALL = Object.values(Right);

it.each([
  ['a clinical screen to whoever reads patients', { prava: [], pacijenti: 'uvid' }, true, 'Ovde'],
  ['no clinical screen to administration alone', { prava: ALL, pacijenti: 'ne' }, true, t.error.patientsClosed],
  ['other screens to administration', { prava: ALL, pacijenti: 'ne' }, false, 'Ovde'],
  ['no screen of administration to clinicians', { prava: [], pacijenti: 'izmena' }, false, t.error.forbidden],
] as const)('opens %s', (_, worker, clinical, shown) => {
  signedIn({ ...worker, prava: [...worker.prava] });
  show(
    <Guarded rights={clinical ? [] : [Right.Roles]} clinical={clinical}>
      <p>Ovde</p>
    </Guarded>,
  );
  expect(screen.getByText(shown)).toBeInTheDocument();
});
