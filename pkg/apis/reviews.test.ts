import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createReviews } from './reviews.gen.ts';

const reviews = createReviews({ groupSuffix: 'example.org' });
const foldersWithReview = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'facts.json')
  .filter((file) => 'review' in (JSON.parse(readFileSync(path.join(import.meta.dirname, file), 'utf8')) as object))
  .map((file) => path.dirname(file));

describe('index of reviews', () => {
  it('lists exactly the folders that hold one', () => {
    const index = readFileSync(path.join(import.meta.dirname, 'reviews.gen.ts'), 'utf8');
    const listed = [...index.matchAll(/from '\.\/(.+)\/review\.ts'/g)].map(([, folder]) => folder);
    expect(listed.sort()).toEqual([...foldersWithReview].sort());
    expect(reviews).toHaveLength(listed.length);
  });

  it.each(foldersWithReview)('%s holds what a review is made of, and nothing that a stored kind has', (folder) => {
    const has = (file: string) => existsSync(path.join(import.meta.dirname, folder, file));
    expect(['review.ts', 'definition.gen.ts', 'shapes.gen.ts', 'descriptions.json'].filter((file) => !has(file))).toEqual([]);
    expect(['kind.ts', 'strategy.ts', 'columns.ts'].filter(has)).toEqual([]);
  });

  it('completes the groups with the suffix that is configured', () => {
    expect(reviews.map(({ definition: { apiVersion, resource } }) => `${apiVersion} ${resource}`)).toEqual([
      'authentication.example.org/v1 selfsubjectreviews',
      'authentication.example.org/v1 tokenrequests',
      'authentication.example.org/v1 tokenreviews',
      'authorization.example.org/v1 localsubjectaccessreviews',
      'authorization.example.org/v1 selfsubjectaccessreviews',
      'authorization.example.org/v1 selfsubjectrulesreviews',
      'authorization.example.org/v1 subjectaccessreviews',
    ]);
  });
});
