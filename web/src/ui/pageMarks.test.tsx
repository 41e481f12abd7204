import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render, waitFor } from '@testing-library/react';
import { Dialog } from 'primereact/dialog';
import { expect, it } from 'vitest';
import { markDialogs } from './pageMarks';
import { Loading } from './states';

const root = document.documentElement;

it('says that something is being loaded until the last of it is there', () => {
  const [one, other] = [render(<Loading />), render(<Loading />)];
  one.unmount();
  expect(root).toHaveAttribute('data-loading');
  other.unmount();
  expect(root).not.toHaveAttribute('data-loading');
});

it('says that a dialog is open', async () => {
  const end = markDialogs();
  const shown = render(<Dialog visible onHide={() => {}} />);
  await waitFor(() => expect(root).toHaveAttribute('data-dialog'));
  shown.unmount();
  await waitFor(() => expect(root).not.toHaveAttribute('data-dialog'));
  end();
});

it('leaves no style that looks through the whole page at every keystroke', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.css') && !name.startsWith('gen'),
  );
  const lines = files.flatMap((name) => readFileSync(join('src', name), 'utf8').split('\n'));
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.filter((line) => /(:root|html|body|\.shell|\.main|\.page)\S*:has\(/.test(line))).toEqual([]);
});
