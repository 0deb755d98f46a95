import { z } from 'zod';
import { aDataFilter, choice, fixed, flag, integer, text } from './dynamic.ts';

/** The properties that every chart has: heading, description and width. */
export const chartWords = {
  displayName: fixed(text()).describe('The heading of the chart.'),
  description: fixed(text()).optional().describe('Shown below the heading.'),
  width: fixed(integer({ min: 1, max: 12 }))
    .optional()
    .describe('How many of twelve columns it takes.'),
};

export const tooltip = () =>
  fixed(choice(['NONE', 'SINGLE', 'ALL']))
    .default('ALL')
    .describe('What pointing at the chart shows.');

const switchable = (description: string) =>
  z
    .strictObject({ enabled: fixed(flag()).default(true).describe('On or off.') })
    .optional()
    .describe(description);

export const legend = () => switchable('The explanation of the colours.');
export const header = () => switchable('The names of the columns.');
export const pagination = () => switchable('Pages of rows.');

export const chartData = () => aDataFilter().describe('What the chart shows.');

/** The example of every chart: a whole dashboard with one chart. */
export const dashboardOf = (chart: string): string => `title: Overview
description: What happened lately
timeWindow:
  default: P30D
  max: P365D
charts:
${chart}`;
