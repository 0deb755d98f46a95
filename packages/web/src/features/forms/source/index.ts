export { isMap, isSameData, valueAt } from './edit.ts';
export { editSource } from './editSource.ts';
export { type ElementText, readElementText, replaceElementText } from './elementText.ts';
export { readYamlData } from './parseSource.ts';
