import type { Family } from '@millrace/plugin-kit';
import { avroToIon, inferAvroSchema, ionToAvro } from './avro/avroTypes.ts';
import { csvToIon } from './csv/csvToIon.ts';
import { ionToCsv } from './csv/ionToCsv.ts';
import { excelToIon } from './excel/excelToIon.ts';
import { ionToExcel } from './excel/ionToExcel.ts';
import { serdesGroups } from './groups.ts';
import { ionToJson } from './json/ionToJson.ts';
import { jsonToIon } from './json/jsonToIon.ts';
import { jsonToJsonl } from './json/jsonToJsonl.ts';
import { jsonToToon, toonToJson } from './json/toon.ts';
import { htmlToMarkdown, markdownToHtml, markdownToText } from './markdown/markdownTypes.ts';
import { ionToParquet, parquetToIon } from './parquet/parquetTypes.ts';
import { protobufToIon } from './protobuf/protobufToIon.ts';
import { ionToXml } from './xml/ionToXml.ts';
import { xmlToIon } from './xml/xmlToIon.ts';
import { ionToYaml, jsonToYaml, yamlToIon, yamlToJson } from './yaml/yamlTypes.ts';

/** Tasks that convert files from one format to another. */
export const serdesFamily: Family = {
  name: 'serdes',
  groups: serdesGroups,
  types: [
    csvToIon,
    ionToCsv,
    jsonToIon,
    ionToJson,
    jsonToJsonl,
    jsonToToon,
    toonToJson,
    xmlToIon,
    ionToXml,
    yamlToIon,
    ionToYaml,
    yamlToJson,
    jsonToYaml,
    avroToIon,
    ionToAvro,
    inferAvroSchema,
    parquetToIon,
    ionToParquet,
    excelToIon,
    ionToExcel,
    protobufToIon,
    markdownToHtml,
    markdownToText,
    htmlToMarkdown,
  ],
};
