import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist', 'src/gen', '.stryker'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  hooks.configs.flat['recommended-latest'],
  a11y.flatConfigs.strict,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', 'scripts/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // A dialog must move the focus to its first field; plain elements still may not grab it.
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
    },
  },
  { files: ['**/*.mjs', '**/*.js'], ...ts.configs.disableTypeChecked, languageOptions: { globals: globals.node } },
);
