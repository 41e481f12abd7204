import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { t } from '../messages';
import { show } from '../testing/fakeApi';
import { GuideButton } from './GuideButton';

const PAGES = {
  visits: 'posete',
  worklist: 'moja-lista',
  patientStatus: 'status-pacijenta',
  consents: 'saglasnosti',
  visitPlan: 'plan-poseta',
  entryStates: 'stanja-unosa',
  questions: 'upiti',
  quality: 'kvalitet-podataka',
  myDay: 'moj-dan',
  registerPlans: 'plan-registra',
  blocks: 'blokovi',
  wall: 'prikaz-na-zidu',
  paper: 'papir',
} as const;

it.each(Object.keys(PAGES) as (keyof typeof PAGES)[])(
  'the question mark opens the page of the guide, to the letter but for its pictures: %s',
  async (page) => {
    const [title = '', ...paragraphs] = readFileSync(`../docs/vodic/${PAGES[page]}.md`, 'utf8')
      .trim()
      .split('\n\n')
      .filter((part) => !part.startsWith('!['))
      .map((part) => part.replaceAll('\n', ' '));
    expect({ title: `# ${t.guide[page].title}`, paragraphs: t.guide[page].paragraphs }).toEqual({ title, paragraphs });
    show(<GuideButton page={page} />);
    await userEvent.click(screen.getByRole('button', { name: t.common.guide(t.guide[page].title) }));
    expect(await screen.findByRole('dialog', { name: t.guide[page].title })).toBeInTheDocument();
  },
);
