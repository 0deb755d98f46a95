/** The parts of the family that types of services compatible with Kafka use. */
export { consumeOutput, consumeStored, listenToMessages, messageOutput } from './consume.ts';
export { produceMessages } from './produce.ts';
