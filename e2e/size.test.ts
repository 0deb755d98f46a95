import { expect, it } from 'vitest';
import { executionPage, measureWebSize, readManifest } from '../bench/measures/webSize.ts';
import { budgets } from '../bench/report/budgets.ts';

/** The budgets of the bench, kept by every test run: sizes do not depend on the machine. */
const budgetOf = (id: string): number => {
  const budget = budgets.find(({ id: name }) => name === id)?.limits.product;
  if (budget === undefined) throw new Error(`There is no budget called ${id}.`);
  return budget * 1024;
};

it('the first page loads no more scripts and styles than its budget', () => {
  const { scriptBytes, styleBytes } = measureWebSize();
  expect(scriptBytes).toBeLessThanOrEqual(budgetOf('webScriptKilobytes'));
  expect(styleBytes).toBeLessThanOrEqual(budgetOf('webStyleKilobytes'));
});

it('an execution that is opened directly keeps to its budget', () => {
  expect(measureWebSize(executionPage).scriptBytes).toBeLessThanOrEqual(budgetOf('webExecutionKilobytes'));
});

it('the component gallery is for development only', () => {
  const built = JSON.stringify(readManifest());
  expect(built).toContain('src/features/executions');
  expect(built).not.toContain('gallery');
});
