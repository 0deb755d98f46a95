import { z } from 'zod';

export const sentOutput = z.object({
  host: z.string().describe('The server.'),
  port: z.number().describe('Its port.'),
  sentBytes: z.number().describe('How many bytes were sent.'),
});

export const messageOutput = z.object({
  payload: z.string().describe('What arrived.'),
  timestamp: z.string().describe('When it arrived.'),
  sourceIp: z.string().describe('The address of the sender.'),
  sourcePort: z.number().describe('The port of the sender.'),
});
