// How the two texts of a report are coloured: SQL with the names of the views, and templates, which are text around {{…}}.
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { StreamLanguage, syntaxHighlighting, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { classHighlighter } from '@lezer/highlight';
import type { Reply } from '../../schema';
import type { Part } from './types';

/** Whether we are inside of {{…}}, and whether its first word, what it declares, is still to come. */
interface Place {
  inside: boolean;
  first: boolean;
}

const template: StreamParser<Place> = {
  startState: () => ({ inside: false, first: false }),
  token(stream, place) {
    if (!place.inside) {
      if (stream.match(/^\{\{!--.*?--\}\}/)) return 'comment';
      if (stream.match(/^\{\{[#/^]?/)) {
        place.inside = place.first = true;
        return 'brace';
      }
      while (!stream.eol() && !stream.match('{{', false)) stream.next();
      return null;
    }
    if (stream.match('}}')) {
      place.inside = false;
      return 'brace';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^"[^"]*"?/)) return 'string';
    if (stream.match(/^\d+(\.\d+)?/)) return 'number';
    if (stream.match(/^[\p{L}_][\p{L}\d_.]*(?==)/u)) return 'propertyName';
    if (stream.match(/^[\p{L}_][\p{L}\d_.]*/u)) {
      const kind = place.first ? 'keyword' : 'variableName';
      place.first = false;
      return kind;
    }
    if (stream.next() === '(') place.first = true;
    return null;
  },
};

export function languageOf(part: Part, views: Reply<'ReportGuide'>['pogledi']): Extension[] {
  const colours = syntaxHighlighting(classHighlighter);
  if (part === 'sablon') return [StreamLanguage.define(template), colours];
  const schema = Object.fromEntries(views.map(({ naziv, kolone }) => [naziv, kolone.map((column) => column.naziv)]));
  return [sql({ dialect: PostgreSQL, schema, upperCaseKeywords: false }), colours];
}
