import tseslint from 'typescript-eslint';

const suffix = { selector: 'Literal[value=/k8s\\.io/]', message: 'The group suffix is spelled in pkg/apis/group-suffix.ts only.' };
const suffixInTemplate = { ...suffix, selector: 'TemplateElement[value.raw=/k8s\\.io/]' };

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist.next-*/',
      'data/',
      'coverage/',
      'node_modules/',
      'schemas/',
      '**/*.gen.ts',
      '**/*.gen.js',
      'test/clients/*/{.venv,bin,target}/',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: 'error',
      // Prettier wraps code; nothing else wraps comments. A disabled rule has to name itself on one line.
      'max-len': ['error', { code: 1000, comments: 120, ignoreUrls: true, ignorePattern: 'eslint-disable' }],
    },
  },
  {
    // Only the composition root talks to the process it runs in.
    files: ['pkg/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in cmd/ and pass options down.' },
        { object: 'process', property: 'exit', message: 'Only cmd/ ends the process.' },
      ],
      'no-console': 'error',
      'no-restricted-syntax': ['error', suffix, suffixInTemplate],
    },
  },
  { files: ['pkg/apis/group-suffix.ts', 'pkg/**/*.test.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    // The Kubernetes client declares classes and takes plain objects.
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
    },
  },
);
