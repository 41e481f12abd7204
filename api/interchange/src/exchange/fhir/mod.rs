//! A form as a FHIR Questionnaire (R4), both ways.

mod calculations;
mod choice;
mod condition;
mod element;
mod enable;
mod incoming;
mod limits;
mod options;
mod outgoing;
mod own;
mod path;
mod proof;
mod semantics;
mod times;
mod units;
mod words;

pub use incoming::read;
pub use outgoing::{Edition, questionnaire};

const UNIT: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-unit";
const UNIT_OPTION: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-unitOption";
/// R4 has no words for what makes one unit of another.
const FACTOR: &str = "urn:regix:cinilac";
const OFFSET: &str = "urn:regix:pomeraj";
const LOW: &str = "http://hl7.org/fhir/StructureDefinition/minValue";
const HIGH: &str = "http://hl7.org/fhir/StructureDefinition/maxValue";
const DECIMALS: &str = "http://hl7.org/fhir/StructureDefinition/maxDecimalPlaces";
/// Of an attachment: its kinds, its largest size in megabytes, how many of them.
const MIME_TYPE: &str = "http://hl7.org/fhir/StructureDefinition/mimeType";
const SIZE: &str = "http://hl7.org/fhir/StructureDefinition/maxSize";
const ORDINAL: &str = "http://hl7.org/fhir/StructureDefinition/ordinalValue";
/// The same weight, as R5 calls it.
const ITEM_WEIGHT: &str = "http://hl7.org/fhir/StructureDefinition/itemWeight";
const OPTION_EXCLUSIVE: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-optionExclusive";
const OPTION_PREFIX: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-optionPrefix";
const ANSWER_CONSTRAINT: &str = "http://hl7.org/fhir/5.0/StructureDefinition/extension-Questionnaire.item.answerConstraint";
const HIDDEN: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-hidden";
const CONTROL: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-itemControl";
const CONTROLS: &str = "http://hl7.org/fhir/questionnaire-item-control";
const CALCULATED: &str = "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression";
const SHOWN: &str = "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-enableWhenExpression";
/// An expression with a name, by which others call it.
const VARIABLE: &str = "http://hl7.org/fhir/StructureDefinition/variable";
const LEAST: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-minOccurs";
const MOST: &str = "http://hl7.org/fhir/StructureDefinition/questionnaire-maxOccurs";
