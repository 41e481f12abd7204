// A light editor of code: lines with numbers, colours, completion, and the faults marked where they are. Tab indents; Escape and then Tab
// leaves it.
import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';
import type { Reply } from '../../schema';
import { t } from '../../messages';
import { languageOf } from './language';
import type { Finding, Part } from './types';
import looks from './editor.css?inline';

export interface Editor {
  /** Goes there and takes the keyboard. */
  goTo: (line: number, column: number) => void;
  /** Puts it in place of what is chosen. */
  insert: (text: string) => void;
}

interface Props {
  part: Part;
  label: string;
  value: string;
  onChange: (value: string) => void;
  findings: readonly (Finding & { severity: 'error' | 'warning' })[];
  views: Reply<'ReportGuide'>['pogledi'];
  ref: Ref<Editor>;
}

function offset(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}

function diagnostics(doc: Text, findings: Props['findings']): Diagnostic[] {
  return findings.flatMap(({ red, kolona, poruka, severity }) => {
    if (red === null) return [];
    const from = offset(doc, red, kolona ?? 1);
    const word = /^[\p{L}\d_]+/u.exec(doc.sliceString(from, doc.lineAt(from).to))?.[0] ?? '';
    return [{ from, to: from + word.length, severity, message: poruka }];
  });
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(looks);

/**
 * A place in a shadow of `host`: there the editor adopts its stylesheets, where in the page it would write inline ones, which the
 * page's security policy forbids.
 */
function shadowed(host: HTMLElement): { root: ShadowRoot; parent: HTMLElement } {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
  root.adoptedStyleSheets = [sheet];
  const parent = document.createElement('div');
  parent.className = 'editor';
  root.replaceChildren(parent);
  return { root, parent };
}

export function CodeEditor({ part, label, value, onChange, findings, views, ref }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const language = useRef(new Compartment());
  const changed = useEffectEvent(onChange);
  const first = useEffectEvent(() => value);

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      ...shadowed(host.current),
      state: EditorState.create({
        doc: first(),
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          autocompletion(),
          indentUnit.of('  '),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          keymap.of([{ key: 'Tab', run: acceptCompletion }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorState.phrases.of(t.reportDesigner.phrases),
          language.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label]);

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(part, views)) });
  }, [part, views]);

  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnostics(editor.state.doc, findings)));
  }, [findings]);

  useImperativeHandle(ref, () => ({
    goTo: (line, column) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch({ selection: { anchor: offset(editor.state.doc, line, column) }, scrollIntoView: true });
      editor.focus();
    },
    insert: (text) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(text), { scrollIntoView: true });
      editor.focus();
    },
  }));

  return <div ref={host} />;
}
